-- Where a passage stands in its document's text, and the section that is read around it: a stretch of that text, which
-- is stored once, with the document. Offsets count characters from 0, the end exclusive.

create table section (
    document_id bigint not null references document on delete cascade,
    ordinal int not null,
    start_offset int not null,
    end_offset int not null,
    start_line int not null,
    end_line int not null,
    primary key (document_id, ordinal)
);

-- Passages that an earlier release stored have none until their document is cut again.
alter table passage
    add column start_offset int,
    add column end_offset int,
    add column section int;
