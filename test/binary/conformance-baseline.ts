import type { Excuse } from '#kit/conformance.ts'
import type { Revision } from '#kit/mcp.ts'

type OfRevisions<T> = Readonly<Record<Revision, T>>

/** The scenarios of which each is one check, named as it is. */
const named = (...scenarios: string[]): string[] => scenarios.map((scenario) => `${scenario}:${scenario}`)

/**
 * Checks of which test/unit/http/mcp-conformance.test.ts shows, with the suite's diagnostic tools, that they pass. The
 * packaged program does not have those tools.
 */
export const WITH_DIAGNOSTIC_TOOLS: OfRevisions<readonly string[]> = {
  '2026-07-28': [
    ...named('tools-call-simple-text', 'tools-call-error'),
    'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
    'server-stateless:sep-2575-server-no-log-without-loglevel',
    'input-required-result-request-state:sep-2322-request-state-incomplete',
    'input-required-result-missing-input-response:sep-2322-missing-response-rerequests',
    'input-required-result-result-type:sep-2322-result-type-included',
    'input-required-result-tampered-state:sep-2322-reject-tampered-state',
  ],
  '2025-11-25': named('tools-call-simple-text', 'tools-call-error'),
}

const WITHOUT_ITS_TOOLS = 'Its diagnostic tool is not in the packaged program. With the tool the check passes.'

const TEXT_ALONE: Excuse = {
  because:
    'Its diagnostic tool gives pictures, sounds or resources. Tools of the program give text and structured content.',
  checks: named('tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content'),
}

const NO_PROGRESS: Excuse = {
  because: 'Its diagnostic tool tells of progress. Tools of the program answer at once.',
  checks: named('tools-call-with-progress'),
}

const NO_RESOURCES: Excuse = {
  because: 'The program has tools and no resources. It says so in its capabilities, and the method is not found.',
  checks: named('resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'),
}

const NO_PROMPTS: Excuse = {
  because: 'The program has tools and no prompts. It says so in its capabilities, and the method is not found.',
  checks: named(
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ),
}

const NO_COMPLETION: Excuse = {
  because: 'Completion is for arguments of prompts and templates, of which there are none.',
  checks: named('completion-complete'),
}

const SCHEMAS_OF_ITS_OWN: Excuse = {
  because:
    'It compares the schema of a diagnostic tool to the letter. Schemas of the program follow from its endpoints. The suite does not count this check: its own example does not pass.',
  checks: ['json-schema-2020-12:json-schema-2020-12-tool-found'],
}

/** What fails at the packaged program, and why it may. */
export const EXPECTED_FAILURES: OfRevisions<readonly Excuse[]> = {
  '2026-07-28': [
    { because: WITHOUT_ITS_TOOLS, checks: WITH_DIAGNOSTIC_TOOLS['2026-07-28'] },
    TEXT_ALONE,
    NO_PROGRESS,
    NO_RESOURCES,
    {
      because: 'The same of resources, where the suite asks for another code or for hints of how long a list is good.',
      checks: [
        'sep-2164-resource-not-found:sep-2164-error-code',
        'sep-2164-resource-not-found:sep-2164-data-uri',
        'caching:sep-2549-resources-list-caching-hints',
        'caching:sep-2549-resources-templates-list-caching-hints',
      ],
    },
    NO_PROMPTS,
    {
      because: 'The same of prompts.',
      checks: [
        'caching:sep-2549-prompts-list-caching-hints',
        'input-required-result-non-tool-request:sep-2322-non-tool-incomplete',
      ],
    },
    NO_COMPLETION,
    SCHEMAS_OF_ITS_OWN,
    {
      because:
        'Its diagnostic tool asks the client for a model or for its folders. The program asks a person, and nothing else.',
      checks: [
        'server-stateless:sep-2575-server-rejects-undeclared-capability',
        'server-stateless:sep-2575-missing-capability-http-400',
        'input-required-result-basic-sampling:sep-2322-sampling-incomplete',
        'input-required-result-basic-list-roots:sep-2322-list-roots-incomplete',
        'input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete',
        'input-required-result-capability-check:sep-2322-respect-client-capabilities',
      ],
    },
    {
      because: 'Its diagnostic tool asks for a name, or twice. The program asks once, whether a person agrees.',
      checks: [
        'input-required-result-basic-elicitation:sep-2322-elicitation-incomplete',
        'input-required-result-multi-round:sep-2322-multi-round-r1',
      ],
    },
    {
      because:
        'It answers a question that was not put. The program takes an answer with the signed state of its question alone.',
      checks: ['input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params'],
    },
    {
      because:
        'Tasks are an extension, which the suite does not count and the program does not offer: its tools answer at once.',
      checks: [
        'tasks-lifecycle:tasks-sync-tool-call',
        'tasks-lifecycle:sep-2663-result-type-task-on-create',
        'tasks-lifecycle:sep-2663-tasks-get-status-working',
        'tasks-lifecycle:sep-2663-tasks-get-status-completed',
        'tasks-lifecycle:sep-2663-tool-error-uses-completed-status',
        'tasks-lifecycle:sep-2663-tasks-get-status-failed',
        'tasks-lifecycle:sep-2663-cancel-ack-empty-result',
        'tasks-lifecycle:tasks-cancel-terminal-idempotent-ack',
        'tasks-capability-negotiation:tasks-extension-advertised',
        'tasks-capability-negotiation:sep-2663-tasks-methods-non-declaring',
        'tasks-capability-negotiation:sep-2663-server-rejects-undeclared-client',
        'tasks-capability-negotiation:tasks-per-request-meta-opt-in',
        'tasks-wire-fields:tasks-wire-field-renames',
        'tasks-wire-fields:tasks-no-early-ttl-expiry',
        'tasks-wire-fields:tasks-no-related-task-meta-on-inlined-result',
        'tasks-request-state-removal:tasks-request-state-removal-setup',
        'tasks-mrtr-input:sep-2663-tasks-get-status-input-required',
        'tasks-mrtr-input:tasks-mrtr-tasks-update-resumes',
        'tasks-mrtr-input:tasks-mrtr-partial-fulfillment',
        'tasks-mrtr-composition:sep-2663-mrtr-synchronous-before-task-creation',
        'tasks-request-headers:tasks-headers-tolerate-mcp-method-on-tools-call',
        'tasks-request-headers:sep-2663-routing-headers-accepted-on-tasks-get',
        'tasks-request-headers:sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
        'tasks-dispatch-and-envelope:tasks-server-directed-creation-no-hint',
        'tasks-dispatch-and-envelope:sep-2663-legacy-task-param-ignored',
        'tasks-dispatch-and-envelope:tasks-immediate-result-shortcut',
        'tasks-dispatch-and-envelope:tasks-result-type-complete-on-non-task-responses',
        'tasks-dispatch-and-envelope:sep-2663-durable-create-strong-consistency',
        'tasks-dispatch-and-envelope:sep-2663-tasks-get-invalid-task-id-32602',
        'tasks-required-task-error:sep-2663-server-returns-missing-capability-when-required',
      ],
    },
    {
      because: 'No tool wants an argument in a header (x-mcp-header). The suite does not count these checks.',
      checks: [
        'http-custom-header-server-validation:sep-2243-server-no-xmcp-tool',
        'http-custom-header-server-validation:sep-2243-server-decode-base64',
        'http-custom-header-server-validation:sep-2243-server-validate-param-match',
        'http-custom-header-server-validation:sep-2243-server-reject-invalid-param-chars',
        'http-custom-header-server-validation:sep-2243-server-reject-param-mismatch',
      ],
    },
  ],
  '2025-11-25': [
    { because: WITHOUT_ITS_TOOLS, checks: WITH_DIAGNOSTIC_TOOLS['2025-11-25'] },
    TEXT_ALONE,
    NO_PROGRESS,
    NO_RESOURCES,
    { because: 'The same of resources.', checks: named('resources-subscribe', 'resources-unsubscribe') },
    NO_PROMPTS,
    NO_COMPLETION,
    SCHEMAS_OF_ITS_OWN,
    {
      because: 'The program logs nothing to its clients. It says so in its capabilities, and the method is not found.',
      checks: named('logging-set-level', 'tools-call-with-logging'),
    },
    {
      because:
        'In this revision a server asks over a session, which would bind a client to one process. A tool that asks gives a preview and a token there.',
      checks: [
        ...named('tools-call-sampling', 'tools-call-elicitation'),
        'elicitation-sep1034-defaults:elicitation-sep1034-general',
        'elicitation-sep1330-enums:elicitation-sep1330-general',
      ],
    },
    {
      because:
        'Warnings about what a revision allows and does not demand: the server keeps no session and no stream to take up.',
      checks: [
        'server-sse-multiple-streams:server-sse-multiple-streams-session',
        'server-sse-polling:server-sse-polling-session',
        'server-sse-polling:server-sse-priming-event',
        'server-sse-polling:server-sse-retry-field',
      ],
    },
  ],
}
