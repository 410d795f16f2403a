import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Answer, ApiClient } from '../shared/api-client.ts'
import { limits } from '../shared/limits.ts'
import type { PlannedBatch } from './batch-plan.ts'
import { control, orderPrefix } from './canaries.ts'
import type { CrashOrg } from './people.ts'
import { amountOf, digitsOf, payeeKey, type Payees } from './requests.ts'
import type { Violation } from './violation.ts'

/** What the clerks saw, to be compared with the final state. */
export type ClerkRecord = { batchIds: string[]; violations: Violation[] }

type Clerk = {
  client: ApiClient
  org: CrashOrg
  payees: Payees
  /** Part of every reference, so that none occurs twice in a run. */
  name: string
}

const batches = '/v1/payouts/batches'
const checked = z.object({ data: z.object({ errors: z.array(z.object({ row: z.number() })) }) })
const stored = z.object({
  data: z.object({
    batch_id: z.string(),
    status: z.string(),
    progress: z.object({ pending: z.number() }),
  }),
})
type Stored = z.infer<typeof stored>['data']

/** Checks, uploads and has approved a batch of payouts, and pauses or cancels it while it is sent. */
export async function playBatch(clerk: Clerk, plan: PlannedBatch, told: ClerkRecord): Promise<void> {
  const rows = plan.rows.map((row, index) => rowOf(clerk, row, index))
  const wrong = Array.from({ length: plan.wrongRows }, (_, index) => wrongRowOf(rows, index))
  const report = (invariant: Violation['invariant'], problem: string): void =>
    void told.violations.push({ invariant, subject: clerk.name, problem })
  await tryWrongRows(clerk, { rows, wrong }, report)
  const created = await post(clerk, {
    body: { rows, description: clerk.org.canary },
    key: `batch-${clerk.name}`,
  })
  if (created && created.status !== 201)
    report('I17', `the upload was answered ${created.text.slice(0, 200)}`)
  if (created?.status !== 201) return
  const { batch_id: batchId, status } = stored.parse(created.body).data
  told.batchIds.push(batchId)
  if (status === 'awaiting_approval' && !(await review(clerk, batchId, plan.review, report))) return
  if (plan.interruption === 'cancel') await post(clerk, { path: `/${batchId}/cancel` })
  if (plan.interruption === 'pause') await pause(clerk, batchId, report)
}

type Report = (invariant: Violation['invariant'], problem: string) => void
type Row = Readonly<Record<string, unknown>>

function rowOf({ payees, name, org }: Clerk, row: PlannedBatch['rows'][number], index: number): Row {
  const { corridor } = row
  return {
    client_reference: `${orderPrefix}-${name}-${index + 1}`,
    beneficiary_id: payees.get(payeeKey(corridor, digitsOf(row))),
    amount: amountOf(row),
    currency: corridor.place.currency,
    description: `${org.canary} ${control}`,
  }
}

/** Nobody's payee, an amount below zero, and the reference of another row. */
function wrongRowOf(rows: readonly Row[], index: number): Row {
  const right = { ...rows[0], client_reference: `wrong-${index}` }
  const ways: readonly Row[] = [
    { ...right, beneficiary_id: '00000000-0000-7000-8000-000000000000' },
    { ...right, amount: -1 },
    { ...right, client_reference: rows[0]?.['client_reference'] },
  ]
  return ways[index % ways.length] ?? right
}

async function tryWrongRows(
  clerk: Clerk,
  { rows, wrong }: { rows: readonly Row[]; wrong: readonly Row[] },
  report: Report,
): Promise<void> {
  const body = { rows: [...rows, ...wrong] }
  const answer = await post(clerk, { path: '?dry_run=true', body })
  const errors = checked.safeParse(answer?.body).data?.data.errors
  const expected = wrong.map((_, index) => rows.length + index + 1)
  const named = errors && [...new Set(errors.map(({ row }) => row))]
  if (named && String(named) !== String(expected))
    report(
      'I17',
      `the dry run finds errors in the rows ${named.join(', ')} instead of ${expected.join(', ')}`,
    )
  const refused = await post(clerk, { body, key: `wrong-${clerk.name}` })
  if (refused && refused.status !== 400)
    report('I17', `an upload with wrong rows is answered ${refused.status}`)
}

/** Whoever uploaded the batch tries to approve it too. True when the batch is sent. */
async function review(
  clerk: Clerk,
  batchId: string,
  decision: PlannedBatch['review'],
  report: Report,
): Promise<boolean> {
  const alone = await post(clerk, { path: `/${batchId}/approve`, body: {} })
  if (alone?.status === 200) report('I16', `${batchId} was approved by whoever uploaded it`)
  if (decision === 'leave') return false
  const { approver, confirmer } = clerk.org
  const as = (initiator: string): Clerk => ({ ...clerk, org: { ...clerk.org, initiator } })
  await post(as(approver), { path: `/${batchId}/${decision}`, body: {} })
  if (decision !== 'approve') return false
  const again = await post(as(approver), { path: `/${batchId}/approve`, body: {} })
  if (again?.status === 200) report('I16', `${batchId} was approved twice by the same person`)
  await post(as(confirmer), { path: `/${batchId}/approve`, body: {} })
  return true
}

/** Once the pause is answered, no further row may be sent. */
async function pause(clerk: Clerk, batchId: string, report: Report): Promise<void> {
  const paused = await post(clerk, { path: `/${batchId}/pause` })
  if (paused?.status !== 200) return
  const before = stored.parse(paused.body).data
  await delay(limits.pollPauseMs * 4)
  const after = await read(clerk, batchId)
  if (after && after.progress.pending !== before.progress.pending)
    report('I17', `${batchId} was paused, and rows were sent afterwards`)
  await post(clerk, { path: `/${batchId}/resume` })
}

async function read({ client, org }: Clerk, batchId: string): Promise<Stored | undefined> {
  const answer = await client.call({ key: org.initiator, method: 'GET', path: `${batches}/${batchId}` })
  return answer?.status === 200 ? stored.parse(answer.body).data : undefined
}

const post = (
  { client, org }: Clerk,
  { path = '', body, key }: { path?: string; body?: object; key?: string },
): Promise<Answer | undefined> =>
  client.call({
    key: org.initiator,
    method: 'POST',
    path: `${batches}${path}`,
    ...(body && { body: JSON.stringify(body) }),
    ...(key !== undefined && { idempotencyKey: `${orderPrefix}-${key}` }),
  })
