import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

/** A payment that was answered with 2xx. */
export type Acknowledged = { paymentId: string; reference: string; phase: string; atMs: number }

export type PhaseReport = {
  phase: string
  sent: number
  acknowledged: number
  failed: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

export type SentPayment = { body: string; idempotencyKey: string; index: number }

export type SteadyLoad = {
  readonly acknowledged: readonly Acknowledged[]
  /** What went wrong, one line for each request that failed. */
  readonly failures: readonly string[]
  /** Counts what is sent from now on under this name. */
  begin(phase: string): void
  /** Sends nothing more, and waits for what is under way. */
  stop(): Promise<PhaseReport[]>
}

/** The payers' countries; the last two digits of a phone number choose the outcome of a payment. */
type Payers = { country: string; currency: string; network: string; phone: string }

/** Served by pawaPay. */
export const ugandans: Payers = { country: 'UG', currency: 'UGX', network: 'MTN', phone: '2567720001' }
/** Served by Paystack, which can list its transactions. */
export const ghanaians: Payers = { country: 'GH', currency: 'GHS', network: 'MTN', phone: '2332412345' }

type LoadOptions = {
  perSecond: number
  /** For how long the rate rises to its full height. */
  rampMs?: number
  payers?: Payers
  /** Every client reference begins with it. */
  prefix: string
  /** Sends one payment, and may try several times. */
  post: (payment: SentPayment) => Promise<{ status: number; text: string }>
}

type Phase = { name: string; sent: number; acknowledged: number; failed: number; durationsMs: number[] }

const tickMs = 5
const answered = z.object({ response: z.object({ payment_id: z.string() }) })
/** What becomes of the simulated payments: of twenty, three send no webhook and one is accepted with a 500. */
const sentinels: Readonly<Record<number, string>> = { 3: '22', 9: '22', 15: '22', 7: '18' }
const sentinelCycle = 20

/** Payins by mobile money at a steady rate, whether or not earlier ones have been answered. */
export function startSteadyLoad(options: LoadOptions): SteadyLoad {
  const { perSecond, rampMs = 0, prefix, post, payers = ugandans } = options
  const phases: Phase[] = []
  const acknowledged: Acknowledged[] = []
  const failures: string[] = []
  const open = new Set<Promise<void>>()
  let phase = newPhase('start')
  let isStopped = false
  const send = async (index: number): Promise<void> => {
    const at = phase
    const reference = `${prefix}-${index}`
    const startedAt = performance.now()
    at.sent += 1
    try {
      const { status, text } = await post({
        body: bodyOf(payers, reference, index),
        idempotencyKey: randomUUID(),
        index,
      })
      if (status !== 200) throw new Error(`${status} ${text.slice(0, 300)}`)
      const { payment_id: paymentId } = answered.parse(JSON.parse(text)).response
      acknowledged.push({ paymentId, reference, phase: at.name, atMs: Date.now() })
      at.acknowledged += 1
      at.durationsMs.push(performance.now() - startedAt)
    } catch (error) {
      at.failed += 1
      failures.push(`${at.name}: ${reference}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const run = async (): Promise<void> => {
    const startedAt = performance.now()
    for (let index = 0; !isStopped; await delay(tickMs)) {
      const due = Math.floor((atFullRateMs(performance.now() - startedAt, rampMs) * perSecond) / 1_000)
      for (; index < due && !isStopped; index += 1) {
        const sending: Promise<void> = send(index).finally(() => open.delete(sending))
        open.add(sending)
      }
    }
  }
  const running = run()
  return {
    acknowledged,
    failures,
    begin(name) {
      phase = newPhase(name)
      phases.push(phase)
    },
    async stop() {
      isStopped = true
      await running
      await Promise.all(open)
      return phases.map(reportOf)
    },
  }
}

/** The time at the full rate in which as much is sent as in this time with a ramp. */
const atFullRateMs = (ms: number, rampMs: number): number =>
  ms < rampMs ? ms ** 2 / (2 * rampMs) : ms - rampMs / 2

const newPhase = (name: string): Phase => ({ name, sent: 0, acknowledged: 0, failed: 0, durationsMs: [] })

function reportOf({ name, durationsMs, ...counts }: Phase): PhaseReport {
  const sorted = durationsMs.toSorted((a, b) => a - b)
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  return { phase: name, ...counts, p50Ms: quantile(0.5), p99Ms: quantile(0.99), maxMs: sorted.at(-1) ?? 0 }
}

/** The body of a payin; its index chooses what becomes of it. */
export function bodyOf({ country, currency, ...payer }: Payers, reference: string, index: number): string {
  const sentinel = sentinels[index % sentinelCycle] ?? '00'
  // Where amounts have cents, they choose what becomes of a payment, and the phone number does not.
  const amount = currency === 'UGX' ? 5_000 : Number(`50.${sentinel}`)
  const phone = `${payer.phone}${currency === 'UGX' ? sentinel : '00'}`
  return JSON.stringify({
    amount,
    target_amount: amount,
    currency,
    target_currency: currency,
    payment_method: 'mobile_money',
    direction: 'payin',
    country,
    client_reference: reference,
    payer_details: { name: 'Grace Nakato', email: 'grace@example.com', phone },
    mobile_money_details: { provider: payer.network, phone_number: phone },
  })
}

export const formatPhase = ({
  phase,
  sent,
  acknowledged,
  failed,
  p50Ms,
  p99Ms,
  maxMs,
}: PhaseReport): string[] => [
  phase,
  String(sent),
  String(acknowledged),
  String(failed),
  `${p50Ms.toFixed(0)} / ${p99Ms.toFixed(0)} / ${maxMs.toFixed(0)}`,
]

export const phaseHeadings = ['phase', 'sent', 'acknowledged', 'failed', 'p50 / p99 / max ms']
