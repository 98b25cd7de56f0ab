-- Answers sentence by sentence with what bears each out, the cache of answers, what models cost, notices to operators.

-- Raised by every change of what a reader could be told from the source: an answer made at another is not given again.
alter table source add column generation bigint not null default 0;

-- What an answer is made of, once more as the core knows it; an earlier release leaves it out.
alter table answer
    add column sentences jsonb,
    add column notes jsonb not null default '[]',
    add column missing text,
    add column is_conflicting boolean not null default false,
    add column calls jsonb not null default '[]',
    -- Whether it was given a second time: then no model was asked.
    add column is_cached boolean not null default false,
    -- Who asked what, and the state of the sources before they were searched for it; none where it is not to be reused.
    add column cache_key bytea,
    add column knowledge bytea,
    alter column relevance type double precision using relevance::text::double precision;
create index answer_cache on answer (cache_key, id desc) where cache_key is not null;

-- One footnote may be quoted from several times, each quote in a row with a mark of its own. `marker` goes on numbering
-- the rows of an answer, as an earlier release judges them by it; `footnote` is the number that readers see, and none
-- in the rows of such a release, which has one quote a footnote and one number for both.
alter table citation add column footnote int;

alter table ticket
    add column calls jsonb not null default '[]',
    drop constraint ticket_reason_check,
    add constraint ticket_reason_check
        check (reason in ('below_threshold', 'no_source', 'unsupported', 'absent', 'refused', 'outage', 'asked'));

-- What models cost and may still cost on a day (UTC), for each asker, and for '' in all.
create table spending (
    day date not null,
    asker text not null,
    usd double precision not null,
    primary key (day, asker)
);

-- What an operator is told, once a day (UTC) and topic.
create table notice (
    topic text not null,
    day date not null,
    text text not null,
    at timestamptz not null default now(),
    primary key (topic, day)
);
create index notice_at on notice (at);
