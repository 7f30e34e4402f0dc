CREATE SCHEMA sluice;

CREATE FUNCTION sluice.now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$select now()$$;

CREATE TABLE sluice.audit (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    item_id bigint,
    request_id bigint,
    detail jsonb
);

ALTER TABLE sluice.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sluice.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sluice.broken_check (
    name text NOT NULL,
    since timestamp with time zone NOT NULL,
    place bigint NOT NULL,
    found text NOT NULL
);

CREATE TABLE sluice.checkpoint (
    run_id bigint NOT NULL,
    stage smallint NOT NULL,
    value jsonb NOT NULL,
    written_at timestamp with time zone NOT NULL
);

CREATE TABLE sluice.duty (
    name text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    epoch bigint,
    done_at timestamp with time zone
);

CREATE TABLE sluice.figure (
    pipeline_id integer NOT NULL,
    stage smallint NOT NULL,
    at timestamp with time zone NOT NULL,
    visits integer NOT NULL,
    passed integer NOT NULL,
    faults integer NOT NULL,
    failed integer NOT NULL,
    CONSTRAINT figure_failed_check CHECK ((failed >= 0)),
    CONSTRAINT figure_faults_check CHECK ((faults >= 0)),
    CONSTRAINT figure_passed_check CHECK ((passed >= 0)),
    CONSTRAINT figure_visits_check CHECK ((visits >= 0))
)
WITH (fillfactor='50');

CREATE TABLE sluice.finder (
    name text NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    every_ms double precision NOT NULL,
    due_at timestamp with time zone NOT NULL,
    epoch bigint,
    after jsonb,
    ran_at timestamp with time zone,
    found integer DEFAULT 0 NOT NULL,
    fresh integer DEFAULT 0 NOT NULL,
    known integer DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    code text,
    message text,
    is_paused boolean DEFAULT false NOT NULL,
    CONSTRAINT finder_check CHECK (((failures = 0) = (code IS NULL))),
    CONSTRAINT finder_every_ms_check CHECK ((every_ms > (0)::double precision)),
    CONSTRAINT finder_failures_check CHECK ((failures >= 0)),
    CONSTRAINT finder_found_check CHECK ((found >= 0)),
    CONSTRAINT finder_fresh_check CHECK ((fresh >= 0)),
    CONSTRAINT finder_known_check CHECK ((known >= 0))
);

CREATE TABLE sluice.intent (
    key text NOT NULL,
    item_id bigint NOT NULL,
    service text NOT NULL,
    pipeline_id integer NOT NULL,
    stage smallint NOT NULL,
    ref text,
    intended_at timestamp with time zone NOT NULL,
    owed_at timestamp with time zone,
    cleanup_id bigint,
    over_at timestamp with time zone,
    stays boolean DEFAULT false NOT NULL
);

CREATE TABLE sluice.item (
    id bigint NOT NULL,
    request_id bigint NOT NULL,
    nonce bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    pipeline_id integer NOT NULL,
    run_version integer DEFAULT 0 NOT NULL,
    priority smallint NOT NULL,
    state smallint DEFAULT 0 NOT NULL,
    codec smallint NOT NULL,
    owner text,
    fairness text,
    key text,
    input jsonb NOT NULL,
    part text,
    trace text,
    title text,
    CONSTRAINT item_check CHECK (((state = 0) = (finished_at IS NULL))),
    CONSTRAINT item_state_check CHECK (((state >= 0) AND (state <= 3)))
)
WITH (fillfactor='50');

CREATE SEQUENCE sluice.item_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE sluice.journal (
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    seq bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    item_id bigint,
    request_id bigint,
    epoch bigint,
    version integer,
    took_ms integer,
    kind smallint NOT NULL,
    stage smallint,
    to_stage smallint,
    ended smallint DEFAULT 0 NOT NULL,
    attempt smallint,
    series smallint,
    kept boolean DEFAULT false NOT NULL,
    reason text,
    code text,
    message text,
    output jsonb,
    pipeline_id integer
)
PARTITION BY RANGE (kept, at);

CREATE TABLE sluice.journal_kept (
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    seq bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    item_id bigint,
    request_id bigint,
    epoch bigint,
    version integer,
    took_ms integer,
    kind smallint NOT NULL,
    stage smallint,
    to_stage smallint,
    ended smallint DEFAULT 0 NOT NULL,
    attempt smallint,
    series smallint,
    kept boolean DEFAULT false NOT NULL,
    reason text,
    code text,
    message text,
    output jsonb,
    pipeline_id integer
);

CREATE TABLE sluice.journal_rest (
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    seq bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    item_id bigint,
    request_id bigint,
    epoch bigint,
    version integer,
    took_ms integer,
    kind smallint NOT NULL,
    stage smallint,
    to_stage smallint,
    ended smallint DEFAULT 0 NOT NULL,
    attempt smallint,
    series smallint,
    kept boolean DEFAULT false NOT NULL,
    reason text,
    code text,
    message text,
    output jsonb,
    pipeline_id integer
);

ALTER TABLE sluice.journal ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sluice.journal_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 100
);

CREATE TABLE sluice.lane (
    id integer NOT NULL,
    pipeline_id integer NOT NULL,
    stage smallint NOT NULL,
    service text DEFAULT ''::text NOT NULL,
    cap integer,
    is_entry boolean DEFAULT true NOT NULL,
    takes_capacity boolean DEFAULT true NOT NULL,
    per_key integer,
    CONSTRAINT lane_cap_check CHECK ((cap > 0)),
    CONSTRAINT lane_per_key_check CHECK ((per_key > 0))
);

ALTER TABLE sluice.lane ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sluice.lane_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sluice.measure (
    kind text NOT NULL,
    pipeline_id integer NOT NULL,
    stage smallint NOT NULL,
    service text NOT NULL,
    length smallint NOT NULL,
    times bigint NOT NULL,
    ms double precision NOT NULL,
    CONSTRAINT measure_ms_check CHECK ((ms >= (0)::double precision)),
    CONSTRAINT measure_times_check CHECK ((times > 0))
)
WITH (fillfactor='50');

CREATE TABLE sluice.migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);

CREATE TABLE sluice.migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);

CREATE TABLE sluice.operation (
    id bigint NOT NULL,
    key text,
    actor text NOT NULL,
    action jsonb NOT NULL,
    filter jsonb NOT NULL,
    total integer NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    stopped integer DEFAULT 0 NOT NULL,
    started_at timestamp with time zone NOT NULL,
    stopped_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT operation_check CHECK (((((done + refused) + failed) + stopped) <= total))
)
WITH (fillfactor='50');

ALTER TABLE sluice.operation ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sluice.operation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sluice.operation_item (
    operation_id bigint NOT NULL,
    item_id bigint NOT NULL,
    outcome smallint DEFAULT 0 NOT NULL,
    at timestamp with time zone,
    reason text,
    copy_id bigint,
    CONSTRAINT operation_item_outcome_check CHECK (((outcome >= 0) AND (outcome <= 4)))
)
WITH (fillfactor='80');

CREATE TABLE sluice.pipeline (
    id integer NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    shape text NOT NULL,
    stages text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    keep_done interval,
    keep_failed interval,
    keep_cancelled interval,
    CONSTRAINT pipeline_version_check CHECK ((version > 0))
);

ALTER TABLE sluice.pipeline ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sluice.pipeline_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sluice.question (
    id bigint NOT NULL,
    run_id bigint NOT NULL,
    stage smallint NOT NULL,
    text text NOT NULL,
    options jsonb,
    fallback jsonb,
    asked_at timestamp with time zone NOT NULL,
    fallback_at timestamp with time zone,
    answer jsonb,
    answered_at timestamp with time zone,
    answered_by text,
    withdrawn_at timestamp with time zone
);

ALTER TABLE sluice.question ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sluice.question_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sluice.removal (
    request_id bigint NOT NULL,
    asked_by text,
    asked_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    obstacle text
);

CREATE TABLE sluice.request (
    id bigint NOT NULL,
    parent_id bigint,
    key text,
    total integer NOT NULL,
    completed integer DEFAULT 0 NOT NULL,
    partly integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    cancelled integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    parts_of smallint,
    is_whole boolean DEFAULT false NOT NULL,
    CONSTRAINT request_cancelled_check CHECK ((cancelled >= 0)),
    CONSTRAINT request_check CHECK (((partly >= 0) AND (partly <= completed))),
    CONSTRAINT request_check1 CHECK ((((completed + failed) + cancelled) <= total)),
    CONSTRAINT request_completed_check CHECK ((completed >= 0)),
    CONSTRAINT request_failed_check CHECK ((failed >= 0)),
    CONSTRAINT request_total_check CHECK ((total >= 0))
)
WITH (fillfactor='45');

CREATE SEQUENCE sluice.request_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE sluice.request_owner (
    request_id bigint NOT NULL,
    owner text NOT NULL,
    joined_at timestamp with time zone NOT NULL
);

CREATE TABLE sluice.rollout (
    pipeline text NOT NULL,
    shares jsonb NOT NULL,
    changed_at timestamp with time zone NOT NULL
);

CREATE TABLE sluice.run (
    id bigint NOT NULL,
    request_id bigint NOT NULL,
    epoch bigint,
    ready_at timestamp with time zone NOT NULL,
    since timestamp with time zone NOT NULL,
    begun_at timestamp with time zone,
    version integer NOT NULL,
    lane integer NOT NULL,
    stage smallint NOT NULL,
    priority smallint NOT NULL,
    state smallint NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    series smallint DEFAULT 1 NOT NULL,
    backs smallint DEFAULT 0 NOT NULL,
    waits smallint DEFAULT 0 NOT NULL,
    suspicion smallint DEFAULT 0 NOT NULL,
    crashes smallint DEFAULT 0 NOT NULL,
    flags smallint DEFAULT 0 NOT NULL,
    reason text,
    ref text,
    marks jsonb,
    active_at timestamp with time zone,
    is_manual boolean,
    deadline_at timestamp with time zone,
    fair bigint,
    progress real,
    CONSTRAINT run_check CHECK (((state = 0) = (epoch IS NULL)))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0', fillfactor='28');

CREATE TABLE sluice.schedule (
    name text NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    rule text NOT NULL,
    next_at timestamp with time zone,
    last_at timestamp with time zone,
    missed bigint DEFAULT 0 NOT NULL,
    is_paused boolean DEFAULT false NOT NULL,
    retry_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    code text,
    message text,
    CONSTRAINT schedule_check CHECK (((failures = 0) = (code IS NULL))),
    CONSTRAINT schedule_check1 CHECK (((failures = 0) = (retry_at IS NULL))),
    CONSTRAINT schedule_failures_check CHECK ((failures >= 0)),
    CONSTRAINT schedule_missed_check CHECK ((missed >= 0))
);

CREATE TABLE sluice.service (
    id integer NOT NULL,
    name text NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    is_open boolean DEFAULT false NOT NULL,
    recent jsonb DEFAULT '[]'::jsonb NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    resumed_at timestamp with time zone NOT NULL,
    probe_at timestamp with time zone,
    probe_epoch bigint,
    probe_until timestamp with time zone,
    ramp integer,
    ramp_left integer,
    busy_until timestamp with time zone,
    grants jsonb DEFAULT '[]'::jsonb NOT NULL,
    capacity integer,
    limit_count integer,
    limit_ms integer,
    code text,
    message text,
    CONSTRAINT service_capacity_check CHECK ((capacity > 0)),
    CONSTRAINT service_check CHECK ((is_open = (probe_at IS NOT NULL))),
    CONSTRAINT service_check1 CHECK (((probe_epoch IS NULL) = (probe_until IS NULL))),
    CONSTRAINT service_check2 CHECK (((limit_count IS NULL) = (limit_ms IS NULL))),
    CONSTRAINT service_check3 CHECK (((ramp IS NULL) = (ramp_left IS NULL))),
    CONSTRAINT service_limit_count_check CHECK ((limit_count > 0)),
    CONSTRAINT service_limit_ms_check CHECK ((limit_ms > 0)),
    CONSTRAINT service_ramp_check CHECK ((ramp > 0)),
    CONSTRAINT service_ramp_left_check CHECK ((ramp_left > 0))
)
WITH (fillfactor='50');

ALTER TABLE sluice.service ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sluice.service_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sluice.setting (
    name text NOT NULL,
    value jsonb NOT NULL
);

CREATE TABLE sluice.signal (
    key text NOT NULL,
    payload jsonb,
    sent_at timestamp with time zone NOT NULL
);

CREATE TABLE sluice.stay (
    pipeline_id integer NOT NULL,
    stage smallint NOT NULL,
    day date NOT NULL,
    size smallint NOT NULL,
    length smallint NOT NULL,
    stayed integer NOT NULL,
    worked integer NOT NULL,
    CONSTRAINT stay_stayed_check CHECK ((stayed >= 0)),
    CONSTRAINT stay_worked_check CHECK ((worked >= 0))
)
WITH (fillfactor='50');

CREATE TABLE sluice.trend (
    minutes smallint NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL,
    pipeline_id integer NOT NULL,
    name text NOT NULL,
    length smallint NOT NULL,
    times bigint NOT NULL,
    CONSTRAINT trend_times_check CHECK ((times > 0))
)
WITH (fillfactor='50');

CREATE TABLE sluice.unique_key (
    pipeline text NOT NULL,
    key text NOT NULL,
    request_id bigint NOT NULL,
    scope text NOT NULL,
    expires_at timestamp with time zone,
    CONSTRAINT unique_key_check CHECK (((scope = 'window'::text) = (expires_at IS NOT NULL))),
    CONSTRAINT unique_key_scope_check CHECK ((scope = ANY (ARRAY['live'::text, 'window'::text, 'forever'::text])))
);

CREATE TABLE sluice.valve (
    id integer NOT NULL,
    kind text NOT NULL,
    pipeline text,
    version integer,
    stage text,
    service text,
    closed boolean NOT NULL,
    generation bigint NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    until timestamp with time zone,
    note text
);

CREATE TABLE sluice.valve_clock (
    one boolean DEFAULT true NOT NULL,
    generation bigint NOT NULL,
    CONSTRAINT valve_clock_one_check CHECK (one)
);

ALTER TABLE sluice.valve ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sluice.valve_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE sluice.visit_log (
    item_id bigint NOT NULL,
    version integer NOT NULL,
    at timestamp with time zone NOT NULL,
    stage smallint NOT NULL,
    attempt smallint NOT NULL,
    dropped integer DEFAULT 0 NOT NULL,
    lines jsonb NOT NULL,
    first integer,
    began_at timestamp with time zone,
    CONSTRAINT visit_log_dropped_check CHECK ((dropped >= 0)),
    CONSTRAINT visit_log_first_check CHECK ((first >= 0))
);

CREATE TABLE sluice.waiter (
    run_id bigint NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    CONSTRAINT waiter_kind_check CHECK ((kind = ANY (ARRAY['signal'::text, 'item'::text, 'children'::text])))
);

CREATE TABLE sluice.worker (
    id bigint NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    pid_started text NOT NULL,
    epoch bigint NOT NULL,
    beat bigint DEFAULT 0 NOT NULL,
    backend_pid integer,
    state smallint DEFAULT 0 NOT NULL,
    valve_generation bigint DEFAULT 0 NOT NULL,
    pipelines integer[] DEFAULT '{}'::integer[] NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    cleared_at timestamp with time zone,
    services text[] DEFAULT '{}'::text[] NOT NULL,
    stages text[],
    seen_at timestamp with time zone,
    invites integer DEFAULT 0 NOT NULL,
    lanes integer[] DEFAULT '{}'::integer[] NOT NULL,
    CONSTRAINT worker_check CHECK (((state = 0) = (ended_at IS NULL))),
    CONSTRAINT worker_state_check CHECK (((state >= 0) AND (state <= 2)))
);

ALTER TABLE sluice.worker ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME sluice.worker_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY sluice.journal ATTACH PARTITION sluice.journal_kept FOR VALUES FROM (true, MINVALUE) TO (MAXVALUE, MAXVALUE);

ALTER TABLE ONLY sluice.journal ATTACH PARTITION sluice.journal_rest DEFAULT;

ALTER TABLE ONLY sluice.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sluice.broken_check
    ADD CONSTRAINT broken_check_pkey PRIMARY KEY (name);

ALTER TABLE ONLY sluice.checkpoint
    ADD CONSTRAINT checkpoint_pkey PRIMARY KEY (run_id);

ALTER TABLE ONLY sluice.duty
    ADD CONSTRAINT duty_pkey PRIMARY KEY (name);

ALTER TABLE ONLY sluice.figure
    ADD CONSTRAINT figure_pkey PRIMARY KEY (pipeline_id, stage, at);

ALTER TABLE ONLY sluice.finder
    ADD CONSTRAINT finder_pkey PRIMARY KEY (name);

ALTER TABLE ONLY sluice.intent
    ADD CONSTRAINT intent_pkey PRIMARY KEY (key);

ALTER TABLE ONLY sluice.item
    ADD CONSTRAINT item_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sluice.lane
    ADD CONSTRAINT lane_pipeline_id_stage_service_key UNIQUE (pipeline_id, stage, service);

ALTER TABLE ONLY sluice.lane
    ADD CONSTRAINT lane_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sluice.measure
    ADD CONSTRAINT measure_pkey PRIMARY KEY (kind, pipeline_id, stage, service, length);

ALTER TABLE ONLY sluice.migration_lock
    ADD CONSTRAINT migration_lock_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sluice.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY sluice.operation_item
    ADD CONSTRAINT operation_item_pkey PRIMARY KEY (operation_id, item_id);

ALTER TABLE ONLY sluice.operation
    ADD CONSTRAINT operation_key_key UNIQUE (key);

ALTER TABLE ONLY sluice.operation
    ADD CONSTRAINT operation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sluice.pipeline
    ADD CONSTRAINT pipeline_name_version_key UNIQUE (name, version);

ALTER TABLE ONLY sluice.pipeline
    ADD CONSTRAINT pipeline_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sluice.question
    ADD CONSTRAINT question_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sluice.removal
    ADD CONSTRAINT removal_pkey PRIMARY KEY (request_id);

ALTER TABLE ONLY sluice.request_owner
    ADD CONSTRAINT request_owner_pkey PRIMARY KEY (request_id, owner);

ALTER TABLE ONLY sluice.request
    ADD CONSTRAINT request_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sluice.rollout
    ADD CONSTRAINT rollout_pkey PRIMARY KEY (pipeline);

ALTER TABLE ONLY sluice.run
    ADD CONSTRAINT run_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sluice.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name);

ALTER TABLE ONLY sluice.service
    ADD CONSTRAINT service_name_key UNIQUE (name);

ALTER TABLE ONLY sluice.service
    ADD CONSTRAINT service_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sluice.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (name);

ALTER TABLE ONLY sluice.signal
    ADD CONSTRAINT signal_pkey PRIMARY KEY (key);

ALTER TABLE ONLY sluice.stay
    ADD CONSTRAINT stay_pkey PRIMARY KEY (pipeline_id, stage, day, size, length);

ALTER TABLE ONLY sluice.trend
    ADD CONSTRAINT trend_pkey PRIMARY KEY (minutes, at, kind, pipeline_id, name, length);

ALTER TABLE ONLY sluice.unique_key
    ADD CONSTRAINT unique_key_pkey PRIMARY KEY (pipeline, key);

ALTER TABLE ONLY sluice.valve_clock
    ADD CONSTRAINT valve_clock_pkey PRIMARY KEY (one);

ALTER TABLE ONLY sluice.valve
    ADD CONSTRAINT valve_kind_pipeline_version_stage_service_key UNIQUE NULLS NOT DISTINCT (kind, pipeline, version, stage, service);

ALTER TABLE ONLY sluice.valve
    ADD CONSTRAINT valve_pkey PRIMARY KEY (id);

ALTER TABLE ONLY sluice.waiter
    ADD CONSTRAINT waiter_pkey PRIMARY KEY (run_id);

ALTER TABLE ONLY sluice.worker
    ADD CONSTRAINT worker_epoch_key UNIQUE (epoch);

ALTER TABLE ONLY sluice.worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (id);

CREATE INDEX intent_cleanup ON sluice.intent USING btree (cleanup_id) WHERE ((cleanup_id IS NOT NULL) AND (over_at IS NULL));

CREATE INDEX intent_item ON sluice.intent USING btree (item_id) WHERE (over_at IS NULL);

CREATE INDEX intent_over ON sluice.intent USING btree (over_at) WHERE (over_at IS NOT NULL);

CREATE INDEX intent_owed ON sluice.intent USING btree (owed_at) WHERE ((owed_at IS NOT NULL) AND (cleanup_id IS NULL) AND (over_at IS NULL));

CREATE INDEX intent_stays ON sluice.intent USING btree (item_id) WHERE (stays AND (over_at IS NOT NULL) AND (owed_at IS NULL));

CREATE INDEX item_key ON sluice.item USING btree (key text_pattern_ops, id) WHERE (key IS NOT NULL);

CREATE INDEX item_owner ON sluice.item USING btree (owner, id) WHERE (owner IS NOT NULL);

CREATE INDEX item_pipeline ON sluice.item USING btree (pipeline_id, id);

CREATE INDEX item_request ON sluice.item USING btree (request_id, id);

CREATE INDEX journal_ended ON ONLY sluice.journal USING btree (ended, item_id) WHERE (ended = ANY (ARRAY[2, 3]));

CREATE INDEX journal_item ON ONLY sluice.journal USING btree (item_id, version);

CREATE INDEX journal_feed ON ONLY sluice.journal USING btree (xid, seq);

CREATE INDEX journal_kept_ended_item_id_idx ON sluice.journal_kept USING btree (ended, item_id) WHERE (ended = ANY (ARRAY[2, 3]));

CREATE INDEX journal_kept_item_id_version_idx ON sluice.journal_kept USING btree (item_id, version);

CREATE INDEX journal_kept_xid_seq_idx ON sluice.journal_kept USING btree (xid, seq);

CREATE INDEX journal_rest_ended_item_id_idx ON sluice.journal_rest USING btree (ended, item_id) WHERE (ended = ANY (ARRAY[2, 3]));

CREATE INDEX journal_rest_item_id_version_idx ON sluice.journal_rest USING btree (item_id, version);

CREATE INDEX journal_rest_xid_seq_idx ON sluice.journal_rest USING btree (xid, seq);

CREATE INDEX operation_finished ON sluice.operation USING btree (finished_at) WHERE (finished_at IS NOT NULL);

CREATE INDEX operation_item_open ON sluice.operation_item USING btree (operation_id, item_id) WHERE (outcome = 0);

CREATE INDEX operation_open ON sluice.operation USING btree (id) WHERE (finished_at IS NULL);

CREATE INDEX question_open ON sluice.question USING btree (run_id) WHERE ((answered_at IS NULL) AND (withdrawn_at IS NULL));

CREATE INDEX question_run ON sluice.question USING btree (run_id);

CREATE INDEX removal_due ON sluice.removal USING btree (due_at);

CREATE INDEX request_key ON sluice.request USING btree (key text_pattern_ops, id) WHERE (key IS NOT NULL);

CREATE INDEX request_owner_of ON sluice.request_owner USING btree (owner, request_id);

CREATE INDEX request_parent ON sluice.request USING btree (parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX run_deadline ON sluice.run USING btree (deadline_at, id) WHERE (deadline_at IS NOT NULL);

CREATE INDEX run_fair ON sluice.run USING btree (lane, priority, fair, ready_at, id) WHERE ((state = 0) AND (fair IS NOT NULL));

CREATE INDEX run_held ON sluice.run USING btree (lane, epoch) WHERE (state <> 0);

CREATE INDEX run_manual ON sluice.run USING btree (priority, ready_at, id) WHERE ((state = 0) AND is_manual);

CREATE INDEX run_ready ON sluice.run USING btree (lane, priority, ready_at, id) WHERE (state = 0);

CREATE INDEX run_suspect ON sluice.run USING btree (priority, ready_at, id) WHERE ((state = 0) AND (suspicion > 0));

CREATE INDEX signal_sent ON sluice.signal USING btree (sent_at);

CREATE INDEX unique_key_request ON sluice.unique_key USING btree (request_id);

CREATE INDEX visit_log_item ON sluice.visit_log USING btree (item_id, version);

CREATE INDEX waiter_key ON sluice.waiter USING btree (kind, key);

CREATE INDEX worker_alive ON sluice.worker USING btree (id) WHERE (state = 0);

CREATE INDEX worker_uncleared ON sluice.worker USING btree (id) WHERE ((state <> 0) AND (cleared_at IS NULL));

ALTER INDEX sluice.journal_ended ATTACH PARTITION sluice.journal_kept_ended_item_id_idx;

ALTER INDEX sluice.journal_item ATTACH PARTITION sluice.journal_kept_item_id_version_idx;

ALTER INDEX sluice.journal_feed ATTACH PARTITION sluice.journal_kept_xid_seq_idx;

ALTER INDEX sluice.journal_ended ATTACH PARTITION sluice.journal_rest_ended_item_id_idx;

ALTER INDEX sluice.journal_item ATTACH PARTITION sluice.journal_rest_item_id_version_idx;

ALTER INDEX sluice.journal_feed ATTACH PARTITION sluice.journal_rest_xid_seq_idx;

ALTER TABLE ONLY sluice.lane
    ADD CONSTRAINT lane_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES sluice.pipeline(id);

ALTER TABLE ONLY sluice.request_owner
    ADD CONSTRAINT request_owner_request_id_fkey FOREIGN KEY (request_id) REFERENCES sluice.request(id) ON DELETE CASCADE;;
