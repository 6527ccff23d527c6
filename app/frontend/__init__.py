"""The pages' style sheets and small ES modules, and the build that bundles them into app/static/."""
