import { setTimeout as delay } from 'node:timers/promises'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { auditViolations } from './audit-check.ts'
import { openBackOffice } from './back-office.ts'
import { checkAll, type Checked } from './check.ts'
import { createClient } from '../shared/api-client.ts'
import { openCustomers, type Customers } from './customers.ts'
import type { Violation } from './violation.ts'
import { limits } from '../shared/limits.ts'
import { makePlan, type PlannedPayment, type PlanOptions } from './plan.ts'
import { openReceivers } from './receivers.ts'
import type { Summary } from './report.ts'
import { startSaboteur, type Saboteur } from '../shared/saboteur.ts'
import { explain } from './explain.ts'
import { readReference } from './read-reference.ts'
import { startPaymentsInstallation, type PaymentsInstallation } from './installation.ts'

type RunResult = { summary: Summary; problems: string[] }

/** Starts everything, carries out the plan, waits until everything is idle and checks the invariants. */
export async function runCrash(
  options: PlanOptions & { isKept?: boolean },
  print: (line: string) => void,
): Promise<RunResult> {
  const scratch = await scratchDir()
  const startedAt = performance.now()
  const hasWrongClocks = options.faults.includes('clock')
  const installation = await startPaymentsInstallation({ directory: scratch.path, hasWrongClocks })
  const stage = await openStage(installation, installation.apiUrls)
  try {
    const plan = makePlan(options)
    print(`everything is running after ${seconds(startedAt)} s`)
    const saboteur = startSaboteur(installation, plan.steps, print)
    const books = watchBooks(installation)
    const backlog = watchBacklog(installation)
    const backOffice = openBackOffice(stage.client, installation)
    await drive(stage.customers, saboteur, plan.payments, backlog)
    await saboteur.finished
    await backlog.stop()
    const snapshots = await books.stop()
    print(`every payment was sent after ${seconds(startedAt)} s`)
    const checked: Checked = {
      ...stage,
      installation,
      told: stage.customers.told,
      kills: plan.steps.length,
      backOffice,
    }
    const quiet = await checkAll(checked)
    await backOffice.stop()
    quiet.violations.push(...snapshots.violations)
    const { told } = stage.customers
    for (const [answer, count] of told.refused) print(`${count} times: ${answer}`)
    const summary: Summary = {
      payments: plan.payments.length,
      acknowledged: told.acknowledged.length,
      unheard: told.unheard,
      seconds: (performance.now() - startedAt) / 1_000,
      snapshots: snapshots.count,
      faults: saboteur.faults,
      decided: backOffice.decided.size,
      byPolicy: await countByPolicy(installation),
      quiet,
    }
    return {
      summary,
      problems: [...stage.client.unexpectedAnswers, ...(await explain(checked, quiet, saboteur.faults))],
    }
  } finally {
    await stage.stop()
    await installation.stop()
    if (options.isKept) print(`its data and logs are in ${scratch.path}`)
    else await scratch.remove()
  }
}

async function countByPolicy({ owner }: PaymentsInstallation): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::integer as count from payments where routing ? 'decision'`,
  )
  return rows[0]?.count ?? 0
}

const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(0)

export type Stage = Pick<Checked, 'client' | 'receivers'> & {
  leaks: string[]
  customers: Customers
  stop(): Promise<void>
}

/** Connects the customers and their webhook endpoints to a running installation. */
export async function openStage(
  { people: { orgs }, simulatorUrl, owner }: PaymentsInstallation,
  apiUrls: readonly string[],
): Promise<Stage> {
  const leaks: string[] = []
  const client = createClient(apiUrls, (call, answer) => {
    for (const org of orgs) {
      const isOwn = [org.initiator, org.approver, org.confirmer, org.operator].includes(call.key)
      if (!isOwn && answer.text.includes(org.canary))
        leaks.push(`${call.method} ${call.path} shows another organisation`)
    }
  })
  const receivers = await openReceivers(client, orgs)
  const customers = await openCustomers(client, orgs, {
    simulatorUrl,
    referenceOf: (paymentId, attemptNo) => readReference(owner, paymentId, attemptNo),
  })
  return {
    client,
    receivers,
    customers,
    leaks,
    async stop() {
      await client.stop()
      await receivers.receiver.stop()
    },
  }
}

export async function drive(
  customers: Customers,
  saboteur: Saboteur,
  payments: readonly PlannedPayment[],
  backlog?: Pick<Backlog, 'untilLow'>,
): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let payment = payments[next++]; payment; payment = payments[next++]) {
      await backlog?.untilLow()
      await saboteur.untilDue(payment.index)
      await customers.play(payment)
    }
  }
  await Promise.all(Array.from({ length: limits.lanes }, lane))
}

type Backlog = {
  /** Resolves when the backlog of undelivered events is small enough. */
  untilLow(): Promise<void>
  stop(): Promise<void>
}

/** A small machine with constant kills falls behind, so customers wait until the backlog has shrunk. */
function watchBacklog(installation: PaymentsInstallation): Backlog {
  let waiting = 0
  const looks = repeat(limits.backlogEveryMs, async () => {
    const { rows } = await installation.owner.query<{ count: number }>(
      `select count(*)::integer as count from deliveries where status = 'pending'`,
    )
    waiting = rows[0]?.count ?? 0
  })
  return {
    async untilLow() {
      while (waiting > limits.backlogEvents) await delay(limits.backlogEveryMs)
    },
    stop: () => looks.stop(),
  }
}

/** Repeats the check until it is stopped. A check that fails because Postgres is down is skipped. */
function repeat(pauseMs: number, look: () => Promise<void>): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const startedAt = performance.now()
      await look().catch(() => undefined)
      // Slow checks run less often.
      const ms = Math.max(pauseMs, 20 * (performance.now() - startedAt))
      await delay(ms, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }
  const running = loop()
  return {
    async stop() {
      stopped.abort()
      await running
    },
  }
}

/** Audits the ledger while work is in progress. */
function watchBooks(installation: PaymentsInstallation): {
  stop(): Promise<{ count: number; violations: Violation[] }>
} {
  let count = 0
  const violations: Violation[] = []
  const looks = repeat(limits.snapshotEveryMs, async () => {
    violations.push(...(await auditViolations(installation.owner)))
    count += 1
  })
  return {
    async stop() {
      await looks.stop()
      return { count, violations }
    },
  }
}
