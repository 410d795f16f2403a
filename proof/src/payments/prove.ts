import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { auditViolations, guardViolations } from './audit-check.ts'
import { quietViolations, standingViolations, type Checked } from './check.ts'
import { corridorName, corridors, type Corridor } from './corridors.ts'
import { gatherEvidence } from './evidence.ts'
import { explain, type Found } from './explain.ts'
import { limits } from '../shared/limits.ts'
import { makePlan, type PlannedPayment } from './plan.ts'
import type { Bug } from './plant/bug.ts'
import { bugs } from './plant/bugs.ts'
import { drive, openStage, type Stage } from './run.ts'
import { partOf, startSaboteur } from '../shared/saboteur.ts'
import { loggedSecrets } from './secrets-check.ts'
import type { Move } from '../shared/moves.ts'
import { plantedFile, startPaymentsInstallation, type PaymentsInstallation } from './installation.ts'

type Proof = {
  bug: string
  caughtBy: string
  after: number
  isRight: boolean
  /** What was found instead, if the expected invariant did not catch the bug. */
  findings: string[]
}

const paymentsEach = 24
const controlPayments = 40
const source = join(import.meta.dirname, '../../../server/src')
const hook = join(import.meta.dirname, 'plant/hook.ts')
const lateApi = join(import.meta.dirname, '../shared/programs/late-api.ts')
const running = ['api-0', 'worker-0'] as const

const control: Bug = {
  name: 'none',
  expects: [],
  corridors: ['mobile_money payin KE', 'mobile_money payin GH', 'card payin GB', 'bank_transfer payout NG'],
  sentinels: ['00', '16', '18', '22', '23', '24', '14'],
  kills: [{ kind: 'point', part: 'api-0', point: 'after_second_commit' }],
  isBulk: true,
}

interface ProveOptions {
  seed: number
  planted: readonly Bug[]
  print: (line: string) => void
}

/** Plants each bug into a running installation and shows which invariant catches it. Without a bug, none may fail. */
export async function prove({ seed, planted, print }: ProveOptions): Promise<Proof[]> {
  await assertPlantable()
  const scratch = await scratchDir()
  const installation = await startPaymentsInstallation({ directory: scratch.path, isSkewAllowed: true })
  const stage = await openStage(installation, installation.apiUrls.slice(0, 1))
  await Promise.all([partOf(installation, 'api-1').stop(), partOf(installation, 'worker-1').stop()])
  try {
    const proofs: Proof[] = []
    for (const bug of [control, ...planted]) {
      const proof = await proveOne({ installation, stage, bug, seed })
      print(`${proof.isRight ? 'ok    ' : 'FAILED'} ${proof.bug}: ${proof.caughtBy}`)
      for (const finding of proof.findings) print(finding)
      proofs.push(proof)
    }
    return proofs
  } finally {
    await stage.stop()
    await installation.stop()
    await scratch.remove()
  }
}

/** Fails early if the source text of a planted bug has changed, because then nothing would be planted. */
export async function assertPlantable(): Promise<void> {
  for (const { file, from } of bugs.flatMap(({ edits }) => edits ?? []))
    if (!(await readFile(join(source, file), 'utf8')).includes(from))
      throw new Error(`${file} no longer holds the text that a planted bug replaces: ${from}`)
}

type Planted = { installation: PaymentsInstallation; stage: Stage; bug: Bug; seed: number }

async function proveOne({ installation, stage, bug, seed }: Planted): Promise<Proof> {
  await plant(installation, stage, bug)
  const startedAt = new Date().toISOString()
  const payments = focusedPayments(bug, seed, bug === control ? controlPayments : paymentsEach)
  const moves = bug.kills ?? []
  const steps = moves.map((move: Move, index) => ({ afterPayments: 4 + index * 8, gapMs: 100, move }))
  const saboteur = startSaboteur(installation, steps, () => undefined)
  await drive(stage.customers, saboteur, payments)
  await saboteur.finished
  const checked: Checked = { ...stage, installation, told: stage.customers.told, kills: moves.length }
  const found = await firstViolations(checked, startedAt)
  const { violations } = found
  const first = violations.find(({ invariant }) => bug.expects.includes(invariant)) ?? violations[0]
  const isRight = first ? bug.expects.includes(first.invariant) : bug === control
  const findings = isRight ? [] : await explain(checked, found, saboteur.faults)
  if (bug.slow) await setLatency(installation, bug.slow.provider, 0)
  if (bug.undo !== undefined) await installation.owner.query(`truncate attempts; ${bug.undo}`)
  return {
    bug: bug.name,
    caughtBy: first ? `${first.invariant} ${first.problem.slice(0, 90)}` : 'nothing',
    after: payments.length,
    isRight,
    findings,
  }
}

/** Empties the database, plants the bug and clears the records of the customers. */
async function plant(
  installation: PaymentsInstallation,
  { customers, receivers, leaks }: Stage,
  bug: Bug,
): Promise<void> {
  await Promise.all(running.map((name) => partOf(installation, name).kill()))
  await installation.owner.query(
    `delete from ledger_transfers where kind <> 'opening';
     update balance_fold_progress set folded_below = 0;
     truncate payments, attempts, inquiries, inbox, events, refunds, exceptions, reviews, balance_folds,
       deliveries, delivery_attempts, outbox, idempotent_calls, payout_batch_rows, payout_batches,
       crash_rewritten`,
  )
  await writeFile(plantedFile(installation.directory), JSON.stringify(bug.edits ?? []))
  installation.nodeFlags.splice(
    0,
    Infinity,
    ...(bug.edits ? ['--import', hook] : []),
    ...(bug.isApiLate === true ? ['--import', lateApi] : []),
  )
  if (bug.slow) await setLatency(installation, bug.slow.provider, bug.slow.ms)
  await Promise.all(running.map((name) => truncate(join(installation.logsDir, `${name}.log`))))
  if (bug.sql !== undefined) await installation.owner.query(bug.sql)
  receivers.receiver.received.length = 0
  leaks.length = 0
  customers.told.acknowledged.length = 0
  customers.told.strangerReads.length = 0
  customers.told.batchIds.length = 0
  customers.told.violations.length = 0
  await Promise.all(running.map((name) => partOf(installation, name).start()))
}

/** How long the provider takes to accept a payment. */
async function setLatency(
  { simulatorUrl }: PaymentsInstallation,
  provider: string,
  ms: number,
): Promise<void> {
  const faults = ms > 0 ? [{ on: 'collect', fault: 'latency', times: paymentsEach, ms }] : []
  const answer = await fetch(`${simulatorUrl}/${provider}/_faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ faults }),
  })
  if (!answer.ok) throw new Error(`the latency of ${provider} was not set: ${await answer.text()}`)
}

function focusedPayments(
  { corridors: names, sentinels, isBulk }: Bug,
  seed: number,
  count: number,
): PlannedPayment[] {
  const { payments } = makePlan({ payments: count, kills: 0, seed, faults: [] })
  return payments.map((payment, index) => ({
    ...payment,
    corridor: corridorNamed(names[index % names.length] ?? ''),
    sentinel: sentinels[index % sentinels.length] ?? payment.sentinel,
    amount: 20 + index,
    isExchanged: false,
    card: 0,
    wrongPasswords: 0,
    decision: 'pay',
    followUp: 'nothing',
    batch: isBulk === true ? payment.batch : undefined,
    policy: undefined,
    review: undefined,
    api: 0,
    isReadByStranger: index % 4 === 0,
  }))
}

function corridorNamed(name: string): Corridor {
  const found = corridors.find((corridor) => corridorName(corridor) === name)
  if (!found) throw new Error(`no connector offers ${name}`)
  return found
}

/** Returns as soon as a standing check fails; otherwise what is still wrong when everything should be idle. */
async function firstViolations(checked: Checked, since: string): Promise<Found> {
  const { installation, receivers } = checked
  const deadline = performance.now() + limits.proofMs
  for (;;) {
    const evidence = await gatherEvidence(checked, since)
    const standing = [
      ...standingViolations(checked, evidence),
      ...(await auditViolations(installation.owner)),
      ...(await guardViolations(installation.owner)),
      ...(await loggedSecrets(installation, receivers)),
    ]
    if (standing.length > 0) return { evidence, violations: standing }
    const left = quietViolations(checked, evidence)
    if (left.length === 0 || performance.now() > deadline) return { evidence, violations: left }
    await delay(limits.quietPauseMs)
  }
}
