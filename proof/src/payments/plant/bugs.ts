import type { Move } from '../../shared/moves.ts'
import type { Bug } from './bug.ts'

const momo = ['mobile_money payin KE', 'mobile_money payin GH']
const cards = ['card payin GB']
const payments = 'domains/payments'
const advance = `${payments}/supervision/advance-payment.ts`

const apiDies = (point: string): Move[] => [
  { kind: 'point', part: 'api-0', point },
  { kind: 'point', part: 'api-0', point },
]

const batchLine = 'const results = await deps.db.batchInOrg(current.payment.orgId, change.statements)'
const postingSql = '/ledger_transfers/'
const eventSql = '/into "events"|deliveries/'

/** Runs those statements of a change that match (or do not match) the pattern in a transaction of their own. */
const batchOf = (pattern: string, matches: boolean): string =>
  `await deps.db.batchInOrg(current.payment.orgId, change.statements.filter(({ sql }) => ${pattern}.test(sql) === ${matches}))`

export const bugs: readonly Bug[] = [
  {
    name: 'stamp and judge by the clock of the process',
    expects: ['I2', 'I5'],
    edits: [
      {
        file: `${payments}/attempts/store.ts`,
        from: 'deadlineMs: attempt.deadlineAt.getTime() - attempt.createdAt.getTime(),',
        to: 'created_at: attempt.createdAt, updated_at: attempt.createdAt, deadline_at: attempt.deadlineAt,',
      },
      { file: `${payments}/attempts/store.ts`, from: '({ deadlineMs, ...row }) =>', to: '(row) =>' },
      {
        file: `${payments}/attempts/store.ts`,
        from: '.values({ ...row, created_at: stampNow(), updated_at: stampNow(), deadline_at: stampIn(deadlineMs) })',
        to: '.values(row)',
      },
      {
        file: advance,
        from: 'attempt.deadlineAt.getTime() - (await deps.db.now()).getTime()',
        to: 'attempt.deadlineAt.getTime() - deps.clock.now().getTime()',
      },
      {
        file: advance,
        from: `const now = await deps.db.now()\n  const inquiry: Inquiry`,
        to: `const now = deps.clock.now()\n  const inquiry: Inquiry`,
      },
      // By the right clock, the provider accepts long before "not found" would be final, and before there is a doubt.
      {
        file: advance,
        from: 'notFoundFinalAfterMs: notFoundWindow(connector, attempt.createdAt)',
        to: 'notFoundFinalAfterMs: 60_000',
      },
      {
        file: `${payments}/attempts/rules.ts`,
        from: 'ageMs >= pollSchedule.unknownLimitMs',
        to: 'ageMs >= day',
      },
    ],
    corridors: ['mobile_money payin GH'],
    sentinels: ['00'],
    isApiLate: true,
    slow: { provider: 'pawapay', ms: 15_000 },
  },
  {
    name: 'drop the one-open-attempt index',
    expects: ['I3'],
    sql: 'drop index attempts_one_open',
    undo: `create unique index attempts_one_open on attempts (org_id, payment_id) where state in ('sending', 'accepted', 'unknown')`,
    corridors: momo,
    sentinels: ['00'],
  },
  {
    name: 'fall back on timeout',
    expects: ['I2', 'I5'],
    edits: [
      {
        file: 'connectors/kit/http-client.ts',
        from: `return { kind: 'unknown', reason: 'timeout' }`,
        to: `return { kind: 'not_sent', reason: 'timeout' }`,
      },
      // The timeout has to come before the webhook, which would otherwise settle the payment.
      {
        file: 'connectors/kit/http-client.ts',
        from: 'const timeoutMs = call.timeoutMs ?? defaultTimeoutMs',
        to: 'const timeoutMs = 60',
      },
    ],
    corridors: momo,
    sentinels: ['16'],
  },
  {
    name: 'resend on `sending`',
    expects: ['I2', 'I5'],
    edits: [
      {
        file: advance,
        from: `{ kind: 'unknown', reason: 'the sender stopped`,
        to: `{ kind: 'not_sent', reason: 'the sender stopped`,
      },
      {
        file: advance,
        from: 'applyFact(deps, loaded, fact, { attemptNo, canSend: false })',
        to: 'applyFact(deps, loaded, fact, { attemptNo, canSend: true })',
      },
      {
        file: advance,
        from: 'return pollProvider(deps, await markUnknown(deps, loaded, attempt), input.hint)',
        to: `const marked = await markUnknown(deps, loaded, attempt)
    if (marked.following)
      return scheduleNextPoll(deps, await sendAttempts(deps, marked, { details: await openDetails(deps, marked.payment), card: undefined }))
    return pollProvider(deps, marked, input.hint)`,
      },
    ],
    corridors: momo,
    sentinels: ['22'],
    kills: apiDies('after_the_answer'),
  },
  {
    name: 'post outside the transaction',
    expects: ['I7', 'I8'],
    edits: [
      {
        file: `${payments}/attempts/apply-fact.ts`,
        from: batchLine,
        to: `const results = ${batchOf(postingSql, false)}\n      ${batchOf(postingSql, true)}`,
      },
    ],
    corridors: cards,
    sentinels: ['00'],
    kills: apiDies('after_second_commit'),
  },
  {
    name: 'skip the epoch fence',
    expects: ['I7', 'I9', 'I10', 'I11'],
    edits: [
      {
        file: `${payments}/store.ts`,
        from: `          .where('version', '=', seenVersion)\n          .returning('payment_id'),`,
        to: `          .returning('payment_id'),`,
      },
    ],
    corridors: [...momo, 'mobile_money payin UG'],
    sentinels: ['24'],
  },
  {
    name: 'deliver before commit',
    expects: ['I11'],
    edits: [
      {
        file: `${payments}/attempts/apply-fact.ts`,
        from: batchLine,
        to: `${batchOf(eventSql, true)}\n      const results = ${batchOf(eventSql, false)}`,
      },
    ],
    corridors: cards,
    sentinels: ['00'],
    kills: apiDies('before_second_commit'),
  },
  {
    name: 'forget the inbox key',
    expects: ['I10'],
    sql: 'alter table inbox drop constraint inbox_pkey',
    undo: 'truncate inbox; alter table inbox add primary key (org_id, provider, account_id, dedupe_key)',
    corridors: momo,
    sentinels: ['23'],
  },
  {
    name: 'auto-fail unknown',
    expects: ['I10'],
    edits: [
      {
        file: `${payments}/lifecycle/rules.ts`,
        from: `: { ...unchanged('unknown'), moves: movesTo(situation.status, 'processing') }`,
        to: `: { ...unchanged('failed'), moves: movesTo(situation.status, 'failed'), failure: providersFailed }`,
      },
    ],
    corridors: momo,
    sentinels: ['16', '18'],
  },
  {
    name: 'log the card',
    expects: ['I14'],
    edits: [
      {
        file: `${payments}/initiation/initiate-payment.ts`,
        from: '  assertCallerIds(caller, draft)\n',
        to: '  assertCallerIds(caller, draft)\n  console.log(JSON.stringify(draft.card))\n',
      },
    ],
    corridors: cards,
    sentinels: ['00'],
  },
  {
    name: 'read without org',
    expects: ['I13'],
    edits: [
      {
        file: `${payments}/store.ts`,
        from: `.where('payments.org_id', '=', orgId)`,
        to: '',
      },
    ],
    sql: 'alter table payments disable row level security; alter table attempts disable row level security',
    undo: 'alter table payments enable row level security; alter table attempts enable row level security',
    corridors: momo,
    sentinels: ['00'],
  },
  {
    name: 'double the retry',
    expects: ['I12'],
    edits: [
      {
        file: 'domains/events/webhooks/deliveries/attempt-delivery.ts',
        from: 'const sent = await send(deps, admitted.endpoint, admitted.delivery)',
        to: 'await send(deps, admitted.endpoint, admitted.delivery); const sent = await send(deps, admitted.endpoint, admitted.delivery)',
      },
    ],
    corridors: momo,
    sentinels: ['00'],
  },
  {
    name: 'swallow an outbox row',
    expects: ['I11', 'I15'],
    edits: [
      {
        file: 'kernel/engine/hand-over.ts',
        from: '  const parts = [',
        to: `  if (Math.random() < 0.3) return 'accepted'\n  const parts = [`,
      },
    ],
    corridors: momo,
    sentinels: ['00'],
  },
  {
    name: 'forget the idempotency key',
    expects: ['I2'],
    edits: [
      {
        file: 'http/idempotency/register-idempotency.ts',
        from: `if (key === undefined || request.method !== 'POST'`,
        to: `if (key !== undefined || request.method !== 'POST'`,
      },
    ],
    corridors: cards,
    sentinels: ['00'],
    kills: apiDies('after_second_commit'),
  },
  {
    name: 'change a status without an event',
    expects: ['I11'],
    edits: [
      {
        file: `${payments}/attempts/apply-fact.ts`,
        from: batchLine,
        to: `const results = ${batchOf(eventSql, false)}`,
      },
    ],
    corridors: momo,
    sentinels: ['00'],
  },
  {
    name: 'forget which payment a row has',
    expects: ['I17'],
    edits: [
      {
        file: 'domains/products/payout-batches/pay-row.ts',
        from: '    paymentId: row.paymentId,\n',
        to: '',
      },
      {
        file: 'domains/products/payout-batches/store.ts',
        from: 'and r.payment_id = ${row.paymentId} and r.state',
        to: 'and r.state',
      },
    ],
    corridors: momo,
    sentinels: ['00'],
    isBulk: true,
  },
]
