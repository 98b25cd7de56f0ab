-- The knowledge base: sources, documents, passages, the lexical index, embedding spaces; tickets for people.

create extension if not exists vector;

create table source (
    id int generated always as identity primary key,
    name text not null unique,
    kind text not null,
    -- Totals over its passages, for BM25; kept here because one sync at a time writes a source.
    passages bigint not null default 0,
    terms bigint not null default 0,
    synced_at timestamptz,
    counts jsonb
);

-- Each distinct set of reader tags once a source, so that a search can filter its postings and vectors by a number.
create table audience (
    id int generated always as identity primary key,
    source_id int not null references source on delete cascade,
    -- Stands for the tags in the index: a row there holds 2,700 bytes, and a page may be open to thousands of people.
    tags_hash bytea not null,
    tags text[] not null,
    unique (source_id, tags_hash)
);

create table document (
    id bigint generated always as identity primary key,
    source_id int not null references source on delete cascade,
    path text not null,
    title text not null,
    url text,
    language text not null,
    audience_id int not null references audience,
    -- What the source says of its state (cheap to compare) and what the text really is.
    revision text not null,
    content_hash bytea not null,
    -- The parser, chunker and term recipe that made the passages: another recipe means cutting again.
    recipe text not null,
    text text not null,
    updated_at timestamptz,
    unique (source_id, path)
);

create table document_failure (
    source_id int not null references source on delete cascade,
    path text not null,
    reason text not null,
    failed_at timestamptz not null default now(),
    primary key (source_id, path)
);

create table passage (
    id bigint generated always as identity primary key,
    document_id bigint not null references document on delete cascade,
    ordinal int not null,
    heading text[] not null,
    anchor text,
    start_line int not null,
    end_line int not null,
    text text not null,
    search_text text not null,
    content_hash bytea not null,
    -- The distinct terms of its postings: with them a passage's postings are found without an index of their own.
    terms bigint[] not null,
    term_count int not null,
    unique (document_id, ordinal)
);
create index passage_content on passage (content_hash);

-- BM25 postings. A term is the 64-bit hash of a stem. No idf inside: an insert never rewrites other rows.
create table posting (
    term bigint not null,
    passage_id bigint not null,
    frequency smallint not null,
    length smallint not null,
    audience_id int not null
);
create unique index posting_term on posting (term, passage_id) include (frequency, length, audience_id);

create table term (
    term bigint primary key,
    passages int not null
) with (fillfactor = 70);

-- Embedding spaces live side by side, each with an HNSW index of its own (made with the space).
create table embedding_space (
    id int generated always as identity primary key,
    model text not null unique,
    dimension int not null check (dimension between 1 and 4000)
);

-- A vector whose passage is gone stays for a while as the cache of its content.
create table embedding (
    id bigint generated always as identity primary key,
    space_id int not null references embedding_space on delete cascade,
    content_hash bytea not null,
    passage_id bigint references passage on delete set null,
    audience_id int not null references audience,
    vector vector not null,
    -- When its passage went away; then it is a cache.
    unused_since timestamptz
);
create unique index embedding_passage on embedding (passage_id, space_id);
create index embedding_unused on embedding (unused_since) where passage_id is null;
create index embedding_content on embedding (content_hash, space_id);

create table ticket (
    id bigint generated always as identity primary key,
    question text not null,
    language text not null,
    reason text not null check (reason in ('below_threshold', 'no_source', 'unsupported')),
    relevance real,
    threshold real not null,
    candidates jsonb not null,
    fingerprint text not null,
    state text not null default 'open' check (state in ('open', 'closed')),
    opened_at timestamptz not null default now()
);
