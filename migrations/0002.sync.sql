-- Restrictions of several levels, the runs of a sync, documents that failed, and the journal of answers.

-- The only long step comes first: it keeps nobody from searching, what follows is quick.
create index embedding_audience on embedding (audience_id);
create index document_audience on document (audience_id);

-- Readers need a tag of every clause. An audience of one clause keeps its tags in the row; one of several has none
-- there (to a release that knows no clauses it is open to nobody) and its clauses here.
create table audience_clause (
    audience_id int not null references audience on delete cascade,
    tags text[] not null
);
create index audience_clause_audience on audience_clause (audience_id);

-- How many passages an audience may read: few are compared one by one, many are found through the vector index.
alter table audience add column passages bigint not null default 0;
update audience set passages = (
    select count(*) from document join passage on passage.document_id = document.id
    where document.audience_id = audience.id
);

-- Who is in the groups that a source's audiences name.
create table membership (
    source_id int not null references source on delete cascade,
    email text not null,
    tag text not null,
    primary key (email, tag, source_id)
);

alter table document add column author text;
-- Who is shut out at once, while the passages, postings and vectors are still being given to the narrower audience.
alter table document add column pending_audience_id int references audience;
create index document_pending on document (pending_audience_id) where pending_audience_id is not null;
-- How the stored text is written: with Markdown's marks or without any.
alter table document add column media_type text not null default 'text/markdown';

alter table document_failure
    add column revision text not null default '',
    add column attempts int not null default 1,
    add column next_try_at timestamptz not null default now();

-- The state of a source that its last complete listing described, and when the clock wakes it next.
alter table source
    add column revision text,
    add column next_run_at timestamptz;

create table sync_run (
    id bigint generated always as identity primary key,
    source_id int not null references source on delete cascade,
    -- The job that it was done for.
    job_id bigint,
    step text not null default 'listing' check (step in ('listing', 'documents')),
    done int not null default 0,
    total int not null default 0,
    started_at timestamptz not null default now(),
    -- When the run last told how far it is.
    seen_at timestamptz not null default now(),
    finished_at timestamptz,
    counts jsonb,
    error text
);
create index sync_run_source on sync_run (source_id, id);
create index sync_run_job on sync_run (job_id);

-- The sources that some process is syncing now: it holds the advisory lock (4101, source), and the server takes that
-- away from a process that dies.
create view held_source as
select source.id, source.name from pg_locks join source on source.id = pg_locks.objid::bigint
where locktype = 'advisory' and classid = 4101 and objsubid = 2 and granted
  and database = (select oid from pg_database where datname = current_database());

-- What was answered to whom, and whether it would still be said.
create table answer (
    id bigint generated always as identity primary key,
    answered_at timestamptz not null default now(),
    question text not null,
    language text not null,
    text text not null,
    relevance real not null,
    threshold real not null,
    answerer text not null,
    fingerprint text not null,
    -- The tags that those who saw it hold today: the groups of a person change.
    reader text[] not null
);
create index answer_reader on answer using gin (reader);
create index answer_answered on answer (answered_at);

create table citation (
    answer_id bigint not null references answer on delete cascade,
    marker int not null,
    source text not null,
    path text not null,
    title text not null,
    url text,
    quote text not null,
    start_line int not null,
    end_line int not null,
    -- The retraction mark: why the quote would not be given to these readers today.
    retracted text check (retracted in ('removed', 'changed', 'restricted')),
    retracted_at timestamptz,
    primary key (answer_id, marker)
);
create index citation_document on citation (source, path);
create index citation_retracted on citation (retracted_at) where retracted is not null;
