import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { scratchDir } from '@switchyard/stack/testing/scratch-dir.ts'
import { createCallOnce } from '../shared/call-once.ts'
import { checkPayments, formatViolation, lostOrDoubled } from '../shared/check-payments.ts'
import {
  startSteadyLoad,
  type PhaseReport,
  type SentPayment,
  type SteadyLoad,
} from '../shared/steady-load.ts'
import type { UpgradeInstallation } from './installation.ts'

type LoadOptions = {
  perSecond: number
  /** Every client reference begins with it. */
  name: string
  /** What is sent where, instead of the payment as it is to the address of the installation. */
  address?: (payment: SentPayment, prefix: string) => { origin: string; body: string }
}

type Drill = {
  installation: UpgradeInstallation
  /** A directory that is removed with the installation. */
  directory: string
  /** Returns when the load has reached its rate. */
  startLoad: (options: LoadOptions) => Promise<SteadyLoad>
}

const quietLimitMs = 120_000
/** A process that has just started is slow, so what it gets rises by ten payments a second each second. */
export const warmUpMs = (perSecond: number): number => perSecond * 100

/** Runs a drill on an installation of its own, and stops its load and its programs afterwards. */
export async function runDrill<Report>(
  start: (directory: string) => Promise<UpgradeInstallation>,
  work: (drill: Drill) => Promise<Report>,
): Promise<Report> {
  const scratch = await scratchDir()
  const installation = await start(scratch.path)
  const calls = createCallOnce()
  let load: SteadyLoad | undefined
  const startLoad = async ({ perSecond, name, address }: LoadOptions): Promise<SteadyLoad> => {
    const rampMs = warmUpMs(perSecond)
    const prefix = `${name}-${randomUUID().slice(0, 8)}`
    load = startSteadyLoad({
      perSecond,
      rampMs,
      prefix,
      post: (payment) =>
        calls.post('/v1/payments-init/initiate', {
          idempotencyKey: payment.idempotencyKey,
          key: installation.keyFor(payment.index),
          ...(address?.(payment, prefix) ?? { origin: installation.apiUrl, body: payment.body }),
        }),
    })
    await delay(rampMs)
    return load
  }
  try {
    return await work({ installation, directory: scratch.path, startLoad })
  } finally {
    await load?.stop()
    await calls.stop()
    await installation.stop()
    await scratch.remove()
  }
}

type Evidence = Awaited<ReturnType<typeof checkPayments>>['evidence']

type Judged = {
  phases: PhaseReport[]
  evidence: Evidence
  /** The payments that did not complete. */
  undone: Evidence['payments']
  quietMs: number
  problems: string[]
}

/** Ends the load and says what no drill may cause: a failed request, a dead program, a lost payment, a broken invariant. */
export async function judgeLoad(installation: UpgradeInstallation, load: SteadyLoad): Promise<Judged> {
  const phases = await load.stop()
  const { evidence, violations, waitedMs } = await checkPayments(installation, quietLimitMs)
  return {
    phases,
    evidence,
    undone: evidence.payments.filter(({ status }) => status !== 'completed'),
    quietMs: waitedMs,
    problems: [
      ...load.failures.map((line) => `a request failed: ${line}`),
      ...installation.unexpectedExits,
      ...lostOrDoubled(load.acknowledged, evidence),
      ...violations.map(formatViolation),
    ],
  }
}

export const undoneProblems = ({ undone }: Judged): string[] =>
  undone.length > 0 ? [`${undone.length} payments did not complete`] : []
