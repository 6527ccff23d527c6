"""The rules judge (判牌): a referee taps cards, and the engine says what the competition's own regulation makes of them.

Questions of 二打一: is this a combination, does it beat that. Of 升级: may this be led and does the throw stand, what must be
followed, was it, who wins the trick and what the bottom counts, how many levels a deal brings. Board games have no cards;
their page leads to the rules and penalties. Anybody may ask; nothing is kept, so there is neither a model nor a command.

`rules` holds the one implementation that the pages, the API and `saishi judge` share: it asks `scoring_engine` and puts the
answer into words. The browser's module only taps cards into the form and sends it.
"""
