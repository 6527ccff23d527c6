"""Reports by mail (邮件报告): what the committee, the leaders and the organiser are told without asking.

A job looks every half minute at what is there and writes what nobody was told yet; no act waits for it. ``Report`` holds who was
told what, once each, so that a job that runs twice, or late, tells nothing twice.
"""
