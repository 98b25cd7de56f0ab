-- The workspaces that have installed the Slack app by themselves, where one deployment serves many.

-- `workspace` is the team, or the organisation where the app is installed in all of it: then `team` is null. Tokens are
-- as Slack gave them; those that expire are renewed by `refresh_token`, which is good for one renewal.
create table slack_installation (
    workspace text primary key,
    enterprise text,
    team text,
    app text not null,
    bot_user text not null,
    bot text not null,
    token text not null,
    scopes text[] not null default '{}',
    refresh_token text,
    expires_at timestamptz,
    installed_by text not null default '',
    installed_at timestamptz not null default now()
);

-- Which organisation's installation serves a workspace, as far as it has written to us.
create table slack_team (
    team text primary key,
    enterprise text not null
);

-- Installations that were begun in a browser.
create table slack_oauth_state (
    state text primary key,
    expires_at timestamptz not null
);
