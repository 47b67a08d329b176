"""Which programs stand for each other: something uses one of each sort, and moves to another."""

from __future__ import annotations

_SORTS = {
    "database": "postgres postgresql mysql mariadb sqlite mongodb mongo oracle dynamodb cassandra",
    "cache": "redis memcached valkey",
    "search": "elasticsearch opensearch solr meilisearch algolia",
    "queue": "kafka rabbitmq sqs nats celery sidekiq",
    "system": "debian ubuntu fedora windows macos linux centos alpine redhat nixos",
    "cloud": "aws gcp azure hetzner heroku vercel netlify digitalocean",
    "platform": "kubernetes k8s docker nomad ecs openshift podman",
    "language": "python ruby go golang rust java kotlin php typescript javascript scala elixir c#",
    "framework": "react vue angular svelte django flask rails fastapi laravel spring express",
    "builds": "jenkins circleci travis buildkite teamcity drone github_actions gitlab_ci",
    "bundler": "webpack vite rollup parcel esbuild",
    "packages": "npm yarn pnpm poetry pip uv pipenv conda",
    "state": "redux zustand mobx recoil jotai",
    "styles": "tailwind bootstrap sass bulma",
    "tests": "jest vitest mocha jasmine pytest unittest playwright cypress",
    "errors": "sentry rollbar bugsnag airbrake",
    "metrics": "grafana datadog prometheus newrelic kibana",
    "editor": "vim neovim emacs vscode sublime zed",
    "web server": "nginx apache caddy traefik haproxy",
    "git": "github gitlab bitbucket gitea forgejo",
    "chat": "slack teams discord mattermost zulip telegram whatsapp signal",
    "tracker": "jira linear asana trello youtrack",
    "documents": "notion confluence obsidian evernote",
    "secrets": "1password bitwarden lastpass vault keepass dashlane",
    "calls": "zoom webex meet skype",
}
_SORT = {name: sort for sort, names in _SORTS.items() for name in names.split()}
HOLDING = frozenset({"git", "cloud", "chat", "tracker", "documents", "secrets"})
"""Sorts of what something is kept in, too: there it is, as in any other place."""


def of(name: str) -> str:
    """Return the sort of the program that is called *name*, "" for an unknown one."""
    return _SORT.get("_".join(name.casefold().split()), "")
