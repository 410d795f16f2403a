import type {
  Connector,
  Inquiry,
  Outcome,
  PaymentMethod,
  ProviderUpdate,
} from '../../../connectors/kit/connector.ts'
import type { WebhookVerdict } from '../../../connectors/kit/declared.ts'
import type { ProviderDispute } from '../../../connectors/kit/disputes.ts'
import { disputeReport, type DisputeBody } from './play-dispute.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { ConnectorSource } from '../../providers/accounts/load-connector.ts'
import {
  notFoundFinalAfterMs,
  type Answer,
  type InquiryAnswer,
  type Scenario,
  type Step,
  type AcceptanceFact,
} from './scenarios.ts'

/** What providers received, by reference. */
export interface ProviderBooks {
  /** Every reference that reached a provider, once for each time. */
  sent: string[]
  /** Also of those that died on the way. */
  seen: Map<string, string>
  referenceOf: Map<string, string>
  refundReferences: string[]
}

export const newBooks = (): ProviderBooks => ({
  sent: [],
  seen: new Map(),
  referenceOf: new Map(),
  refundReferences: [],
})

/** The process of one call: its providers answer by the script, and it may end in the middle. */
interface Process {
  connectors: ConnectorSource
  died: Promise<'died'>
}

interface ProcessScript {
  scenario: Scenario
  books: ProviderBooks
  step: Step | undefined
  /** By account. */
  providerOf: ReadonlyMap<string, string>
  /** Delivers a webhook while the call is under way. */
  deliverEarly: (provider: string, fact: AcceptanceFact) => Promise<void>
}

export function startProcess(script: ProcessScript): Process {
  let die: (how: 'died') => void = () => undefined
  const died = new Promise<'died'>((resolve) => (die = resolve))
  const end = <T>(): Promise<T> => {
    die('died')
    return new Promise<T>(() => undefined)
  }
  return {
    died,
    connectors: {
      load: (_orgId, accountId) =>
        Promise.resolve(connectorOf(script, script.providerOf.get(accountId) ?? '', end)),
      identify: () => Promise.resolve(undefined),
      probe: () => Promise.resolve(undefined),
      invalidate: () => undefined,
    },
  }
}

function connectorOf(script: ProcessScript, provider: string, end: <T>() => Promise<T>): Connector {
  const { scenario, step } = script
  const send = sendOf(script, provider, end)
  const direction = scenario.direction === 'inbound' ? 'payin' : 'payout'
  const amount = direction === 'payin' ? scenario.source : scenario.target
  const inquiry = step && 'inquiry' in step ? step.inquiry : undefined
  const answer = step && 'answer' in step ? step.answer : undefined
  const base: Connector = {
    name: provider,
    capabilities: [
      {
        direction,
        method: scenario.method as PaymentMethod, // the scenarios name only such
        countries: ['GB'],
        currencies: [amount.currency],
      },
    ],
    notFoundFinalAfterMs,
    collect: send,
    payout: send,
    inquire: () => later(inquiryOf(inquiry ?? { fact: 'unclear' })),
  }
  if (provider === 'manual') return base
  return {
    ...base,
    act: () => later(answer?.fact === 'wrong' ? { kind: 'wrong_otp' } : outcomeOf(answer as Answer)), // all but wrong
    cancel: () => later(outcomeOf(answer as Answer)), // a cancellation's answer is one
    refund(_attempt, { reference }) {
      script.books.refundReferences.push(reference)
      return later(outcomeOf(answer as Answer)) // a refund's answer is one
    },
    inquireRefund: () => later(inquiryOf(inquiry ?? { fact: 'unclear' })),
    verifyWebhook: () => Promise.resolve(verdictOf(step)),
    readWebhook: (rawBody) => updatesIn(scenario, rawBody),
    readDisputes: (rawBody) => disputesIn(scenario, rawBody),
  }
}

/** A moment later, so that calls at the same time really mix. */
const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(() => resolve(value)))

function sendOf(
  { scenario, books, deliverEarly }: ProcessScript,
  provider: string,
  end: <T>() => Promise<T>,
) {
  return async ({ reference }: { reference: string }): Promise<Outcome> => {
    books.seen.set(provider, reference)
    const script = scenario.sends[scenario.providers.indexOf(provider)]
    if (!script || script.dies === 'before') return end()
    books.sent.push(reference)
    books.referenceOf.set(provider, reference)
    if (script.early !== null) await deliverEarly(provider, script.early)
    return script.dies === 'after' ? end() : later(outcomeOf(script.answer))
  }
}

const failure = { code: 'SCRIPTED', message: 'The scenario says so.' }

const states = {
  waits: { state: 'pending' },
  works: { state: 'processing' },
  paid: { state: 'completed' },
  failed: { state: 'failed', failure },
  canceled: { state: 'canceled' },
} as const
type AcceptedWord = keyof typeof states
const isTaken = (fact: string): fact is AcceptedWord => fact in states

function acceptedAs(fact: AcceptedWord, action: string | undefined) {
  return {
    kind: 'accepted' as const,
    providerRef: null,
    providerStatus: fact,
    state: states[fact],
    nextAction: nextActionOf(action),
  }
}

function nextActionOf(action: string | undefined) {
  switch (action) {
    case undefined:
      return undefined
    case 'redirect':
      return { type: 'redirect' as const, url: 'https://example.test/pay' }
    default:
      return { type: action as 'wait' | 'collect_otp' | 'check_status' } // the scenarios name only such
  }
}

function outcomeOf({ fact, action }: Answer): Outcome {
  if (isTaken(fact)) return acceptedAs(fact, action)
  if (fact === 'unsent') return { kind: 'not_sent', reason: 'scripted' }
  if (fact === 'unclear') return { kind: 'unknown', reason: 'scripted' }
  return { kind: 'declined', failure, fallback: fact === 'try elsewhere' }
}

function inquiryOf(answer: InquiryAnswer): Inquiry {
  if (answer.fact === 'missing') return { kind: 'not_found' }
  return isTaken(answer.fact)
    ? acceptedAs(answer.fact, 'action' in answer ? answer.action : undefined)
    : { kind: 'unknown', reason: 'scripted' }
}

function verdictOf(step: Step | undefined): WebhookVerdict<'account'> {
  const kind = step?.do === 'hook' ? step.verdict : 'verified'
  return kind === 'forged' ? { kind, reason: 'scripted' } : { kind }
}

export interface HookBody {
  dedupeKey: string
  reference: string
  subject: 'attempt' | 'refund'
  fact: AcceptedWord
  /** Of the payment, or a sum of its own, in text. */
  amount: 'right' | 'wrong' | 'none' | { amountMinor: string; currency: string }
}

/** A webhook is about an attempt or a refund, or about a dispute. */
function read(rawBody: Buffer): HookBody | DisputeBody {
  return JSON.parse(rawBody.toString()) as HookBody | DisputeBody // written by the player
}
function updatesIn(scenario: Scenario, rawBody: Buffer): ProviderUpdate[] {
  const body = read(rawBody)
  return 'dispute' in body ? [] : [updateOf(scenario, body)]
}
function disputesIn(scenario: Scenario, rawBody: Buffer): ProviderDispute[] {
  const body = read(rawBody)
  return 'dispute' in body ? [disputeReport(scenario, body)] : []
}

function updateOf(scenario: Scenario, { fact, amount, ...reported }: HookBody): ProviderUpdate {
  const right = scenario.direction === 'inbound' ? scenario.source : scenario.target
  const wrong = { ...right, amountMinor: right.amountMinor + 1n }
  return {
    ...reported,
    providerRef: null,
    providerStatus: fact,
    state: states[fact],
    ...(amount !== 'none' && { amount: moneyOf(amount, { right, wrong }) }),
  }
}

function moneyOf(amount: Exclude<HookBody['amount'], 'none'>, sums: Record<'right' | 'wrong', Money>): Money {
  if (typeof amount === 'string') return sums[amount]
  return { ...amount, amountMinor: BigInt(amount.amountMinor) }
}
