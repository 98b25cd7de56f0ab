-- What a chat platform needs where a conversation is a whole chat, where an edited question is answered again in place,
-- and where chats move and people say who they are.

alter table message
    -- What belongs together where that is no thread; its messages are answered one after another.
    add column conversation text,
    -- It has another text than the one that was answered: it is asked again.
    add column is_revised boolean not null default false;
create index message_revised on message (id) where is_revised;

alter table parcel
    -- The message whose place it takes; where it `is_gone`, that one only disappears.
    add column replaces text,
    add column is_gone boolean not null default false;

-- A chat that has another name now.
create table moved_place (
    platform text not null,
    workspace text not null,
    channel text not null,
    moved_to text not null,
    moved_at timestamptz not null default now(),
    primary key (platform, workspace, channel)
);

-- What somebody told the bot of themselves: the language of their answers, and whose e-mail address they have proved to
-- have.
create table person (
    platform text not null,
    workspace text not null,
    author text not null,
    language text,
    email text,
    linked_at timestamptz,
    primary key (platform, workspace, author)
);

-- An address that somebody says is theirs, until a code proves it; of the code only a hash is kept, and none when it was
-- used. The row stays while codes are counted.
create table link_request (
    platform text not null,
    workspace text not null,
    author text not null,
    email text not null,
    code_hash bytea unique,
    -- The code went to the address; else the operator confirms it.
    is_mailed boolean not null,
    attempts int not null default 0,
    expires_at timestamptz not null,
    -- When its author was given codes, within the last hour.
    issued_at timestamptz[] not null default '{}',
    primary key (platform, workspace, author)
);
