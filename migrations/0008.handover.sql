-- A person takes over: tickets as a state machine, what happened to each, what is learned from them, what had no answer.

-- What must be said where nobody has just written (a ticket's card at a desk, a person's reply in the asker's chat) is a
-- message that nobody wrote, with origin 'errand': its job plans and sends it like any reply.
create index message_errand on message (((wire ->> 'ticket')::bigint), id) where origin = 'errand';

-- open: nobody has it. claimed: its owner owns the conversation, and the bot is silent there. answered: they have said
-- something, and own it still. returned: it is the bot's again. closed, expired: done with, or never taken up.
alter table ticket
    -- Where it was asked, and who asked; none where that was a terminal. They stand here too because what is held is
    -- asked for with each message.
    add column platform text,
    add column workspace text,
    add column channel text,
    add column root text,
    add column asker text,
    add column company text,
    -- The sentences that were not shown, and the checks that they failed.
    add column draft jsonb not null default '[]',
    -- Who has it: platform and author, and the name that the asker sees.
    add column owner text,
    add column owner_name text,
    -- Until when the asker was told to have an answer; when a person last said something.
    add column due_at timestamptz,
    add column touched_at timestamptz not null default now(),
    add column ended_at timestamptz,
    -- What the clock does next with it, and when.
    add column next_step text,
    add column next_at timestamptz,
    -- The words of its people were taken out.
    add column is_forgotten boolean not null default false,
    drop constraint ticket_state_check,
    add constraint ticket_state_check
        check (state in ('open', 'claimed', 'answered', 'returned', 'closed', 'expired')),
    drop constraint ticket_reason_check,
    add constraint ticket_reason_check
        check (reason in ('below_threshold', 'no_source', 'unsupported', 'absent', 'refused', 'outage', 'asked', 'stale',
                          'failed', 'disliked', 'risky'));
update ticket set platform = message.platform, workspace = message.workspace, channel = message.channel,
    root = message.root, asker = message.author, company = message.company
from message where message.id = ticket.message_id;
create index ticket_active on ticket (platform, workspace, channel, root)
    where state in ('open', 'claimed', 'answered');
create index ticket_ended on ticket (platform, workspace, channel, root, ended_at) where ended_at is not null;
create index ticket_next on ticket (next_at) where next_at is not null;

-- Whether a person holds a conversation follows from its tickets.
alter table conversation drop column is_held;

-- Whatever asks for it: no other way leads from state to state.
create function ticket_may_change() returns trigger language plpgsql as $$
begin
    if old.state || ' ' || new.state not in (
        'open claimed', 'open answered', 'open returned', 'open closed', 'open expired',
        'claimed open', 'claimed answered', 'claimed returned', 'claimed closed',
        'answered claimed', 'answered returned', 'answered closed',
        'returned open', 'closed open', 'expired open'
    ) then
        raise exception 'a ticket does not go from % to %', old.state, new.state using errcode = 'check_violation';
    end if;
    return new;
end
$$;
create trigger ticket_may_change before update of state on ticket
    for each row when (old.state is distinct from new.state) execute function ticket_may_change();

-- What happened to a ticket, once for each `key`, however often it is delivered. `text` are people's words.
create table ticket_event (
    id bigint generated always as identity primary key,
    ticket_id bigint not null references ticket on delete cascade,
    kind text not null,
    actor text not null,
    at timestamptz not null default clock_timestamp(),
    from_state text not null,
    to_state text not null,
    text text not null default '',
    details jsonb not null default '{}',
    key text not null unique
);
create index ticket_event_ticket on ticket_event (ticket_id, id);

-- Every question that had no answer. Those of one conversation are one ticket; none yet where its asker has to agree.
create table unanswered (
    id bigint generated always as identity primary key,
    asked_at timestamptz not null default now(),
    question text not null,
    language text not null,
    reason text not null,
    relevance real,
    threshold real not null,
    candidates jsonb not null default '[]',
    draft jsonb not null default '[]',
    calls jsonb not null default '[]',
    fingerprint text not null,
    desk text,
    message_id bigint unique references message on delete set null,
    ticket_id bigint references ticket on delete set null,
    -- Since when the documents or an entry answer it, and which.
    answerable_at timestamptz,
    answerable_by text
);
create index unanswered_ticket on unanswered (ticket_id);
create index unanswered_open on unanswered (asked_at) where answerable_at is null;
insert into unanswered (asked_at, question, language, reason, relevance, threshold, candidates, calls, fingerprint, desk,
                        message_id, ticket_id)
select opened_at, question, language, reason, relevance, threshold, candidates, calls, fingerprint, desk, message_id, id
from ticket;

-- What people taught: an entry is knowledge once it is approved, and is searched as a document of the source `curated`.
create table entry (
    id bigint generated always as identity primary key,
    state text not null default 'draft' check (state in ('draft', 'approved', 'rejected', 'unlearned', 'expired')),
    question text not null,
    answer text not null,
    language text not null,
    links text[] not null default '{}',
    -- Who may read it, as tags.
    audience text[] not null default '{public}',
    -- Who said so, as it is cited; who answers for it.
    author text not null,
    author_name text not null,
    owner text not null,
    ticket_id bigint references ticket on delete set null,
    version int not null default 1,
    created_at timestamptz not null default now(),
    approved_at timestamptz,
    review_at timestamptz,
    expires_at timestamptz,
    changed_at timestamptz not null default now()
);
create index entry_state on entry (state, expires_at);
create index entry_ticket on entry (ticket_id) where ticket_id is not null;

-- Each version of an entry, and who made it what it is.
create table entry_version (
    entry_id bigint not null references entry on delete cascade,
    version int not null,
    state text not null,
    question text not null,
    answer text not null,
    actor text not null,
    at timestamptz not null default clock_timestamp(),
    primary key (entry_id, version)
);

-- Ripple: the state of the knowledge that a question was last asked of again, and what was found there that gave no
-- answer.
alter table unanswered add column asked_at_state bytea, add column tried bytea;
create index unanswered_asked on unanswered (asked_at);

-- Gaps: what an operator wants to hear no more of among the questions that had no answer, or a weak one.
alter table unanswered add column dismissed_at timestamptz;
alter table answer add column dismissed_at timestamptz;

-- Summary: what a model has made of a ticket in the languages of its desks, by a digest of what it was made of; "" where
-- nothing came of that.
alter table ticket add column summaries jsonb not null default '{}';

-- What says of itself that it was sent once more, so that what takes its place says so as well.
alter table parcel add column is_repeat boolean not null default false;
