-- What people wrote to the bot and what it said, what is still to be sent, and what is visible meanwhile.

-- A thread, or the message that one would hang from. `asker` asked us first in it; `is_ours` where the thread hangs from
-- what was written to us, so that its asker is answered there without a mention.
create table conversation (
    id bigint generated always as identity primary key,
    platform text not null,
    workspace text not null,
    channel text not null,
    root text not null,
    asker text not null,
    is_ours boolean not null,
    -- A person has taken over: then the bot is silent.
    is_held boolean not null default false,
    started_at timestamptz not null default now(),
    unique (platform, workspace, channel, root)
);

-- waiting: a job will answer it. joined: the message in `joined_to` asks it. answering: a worker has it. replied: a reply
-- is planned in `parcel`. done, refused, limited (told or not, it has no answer), failed (a person has it), cancelled
-- (deleted), undeliverable.
create table message (
    id bigint generated always as identity primary key,
    platform text not null,
    workspace text not null,
    channel text not null,
    message text not null,
    root text not null,
    thread text,
    role text not null check (role in ('user', 'assistant')),
    author text not null,
    text text not null,
    company text not null default 'public',
    is_addressed boolean not null default true,
    origin text not null default 'message',
    language text,
    has_files boolean not null default false,
    wire jsonb not null default '{}',
    state text not null check (state in ('waiting', 'joined', 'answering', 'replied', 'done', 'refused', 'limited',
                                         'failed', 'cancelled', 'undeliverable')),
    -- Grows with each edit: a reply to an earlier text is not sent.
    version int not null default 1,
    attempts int not null default 0,
    joined_to bigint references message,
    reason text,
    sent_at timestamptz not null,
    received_at timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    unique (platform, workspace, channel, message)
);
create index message_root on message (platform, workspace, channel, root, id);
-- How much was taken of a person and of a place lately; who is told that it was too much, is told once. A deletion that
-- came before its message has no author.
create index message_author on message (platform, workspace, author, received_at)
    where role = 'user' and reason is distinct from 'limit';
create index message_place on message (platform, workspace, channel, received_at)
    where role = 'user' and reason is distinct from 'limit' and author <> '';
create index message_limited on message (platform, workspace, author, received_at) where reason = 'limit';
create index message_waiting on message (platform, workspace, channel, author) where state = 'waiting';
create index message_joined on message (joined_to) where joined_to is not null;
create index message_open on message (id) where state in ('waiting', 'answering', 'replied');
create index message_undeliverable on message (finished_at) where state = 'undeliverable';

-- What is to be sent in reply to a message, as it was rendered: planned all at once, before any of it is sent.
create table parcel (
    message_id bigint not null references message on delete cascade,
    position int not null,
    channel text not null,
    thread text,
    sight text not null check (sight in ('open', 'private')),
    -- Not jsonb, which refuses what a text may hold (NUL) and orders keys anew.
    payload json not null,
    plain text not null,
    marker text not null unique,
    state text not null default 'planned' check (state in ('planned', 'begun', 'sent', 'dead')),
    attempts int not null default 0,
    -- The platform's name of what was sent.
    sent_as text,
    sent_at timestamptz,
    primary key (message_id, position)
);
create index parcel_sent on parcel (channel, sent_as) where sent_as is not null;

-- What a job shows while it works, noted before it is visible: cleared when the job ends, however it ends.
create table trace (
    message_id bigint not null references message on delete cascade,
    kind text not null,
    channel text not null,
    thread text not null,
    reference text not null,
    left_at timestamptz not null default now(),
    primary key (message_id, kind)
);

-- What people think of an answer; their last word counts.
create table feedback (
    answer_id bigint not null references answer on delete cascade,
    actor text not null,
    verdict text not null check (verdict in ('good', 'bad')),
    reason text,
    comment text,
    at timestamptz not null default now(),
    primary key (answer_id, actor)
);

alter table answer add column message_id bigint unique references message on delete set null;
alter table ticket
    add column message_id bigint unique references message on delete set null,
    -- The queue of people that it goes to; none: the usual one.
    add column desk text,
    drop constraint ticket_reason_check,
    add constraint ticket_reason_check
        check (reason in ('below_threshold', 'no_source', 'unsupported', 'absent', 'refused', 'outage', 'asked', 'stale',
                          'failed'));

-- Until when a channel has heard everything of a place, so that what was written while nobody listened is found.
create table heard (
    platform text not null,
    workspace text not null,
    channel text not null,
    until text not null,
    primary key (platform, workspace, channel)
);

-- Which job of a conversation comes first is asked of every job that waits: without an index it took 2 s of every fetch
-- when 20,000 waited.
create index job_open_lock on procrastinate_jobs (lock) where status in ('todo', 'doing');

-- How each process that listens is reached, told every few seconds: who is silent for a while has ended.
create table listening (
    platform text not null,
    process text not null,
    healthy boolean not null,
    trouble text,
    heard_at timestamptz,
    counts jsonb not null,
    told_at timestamptz not null default now(),
    primary key (platform, process)
);
