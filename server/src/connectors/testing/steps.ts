import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import type {
  AcceptedOutcome,
  Attempt,
  BankAccount,
  CollectDetails,
  Inquiry,
  MobileMoney,
  NextAction,
  Outcome,
  Payee,
  ProviderUpdate,
  RampDetails,
} from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { exponentOf, parseMinor, type Money } from '../../lib/money/money.ts'
import { isPayin, isRamp, operationOf, type Flow, type FlowChange, type LogEntry } from './harness.ts'
import type { Fixture } from './fixture.ts'

export const rightOtp = '123456'
const roundsLimit = 4
const answerTimeoutMs = 1_000

export interface SentAttempt {
  attempt: Attempt
  outcome: Outcome
  /** The log entries of this payment so far. */
  accepted: () => LogEntry[]
}

/** Sends one payment once. */
export async function send(fixture: Fixture, flow: Flow, change: FlowChange = {}): Promise<SentAttempt> {
  const attempt = newAttempt(flow, change)
  const sequence = fixture.lastSequence()
  const outcome = await sendAttempt(fixture, { flow, change, attempt })
  const providerRef = outcome.kind === 'accepted' ? outcome.providerRef : null
  return {
    attempt: { ...attempt, providerRef },
    outcome,
    accepted: () => acceptedOf(fixture, flow, sequence),
  }
}

export function newAttempt(flow: Flow, change: FlowChange = {}): Attempt {
  const { direction, method, country, currency } = flow
  const amountMinor = change.amountMinor ?? flow.amountsMinor[0]
  return {
    reference: randomUUID(),
    providerRef: null,
    direction,
    method,
    country,
    amount: { amountMinor, currency },
    createdAt: new Date(),
  }
}

interface Sending {
  flow: Flow
  attempt: Attempt
  change?: FlowChange
}

export async function sendAttempt(
  { connector, harness, simulator, provider }: Pick<Fixture, 'connector'> & Partial<Fixture>,
  { flow, attempt, change = {} }: Sending,
): Promise<Outcome> {
  const configured = harness?.configureBefore?.(attempt)
  if (configured && provider !== undefined) simulator?.configure(provider, configured)
  if (isPayin(flow)) {
    if (!connector.collect) throw new Error(`${connector.name} has a payin flow but no collect`)
    return connector.collect(attempt, changed(flow.details, change))
  }
  if (isRamp(flow)) {
    const details = changedRamp(flow.details, change)
    const sent =
      flow.direction === 'on_ramp'
        ? connector.onRamp?.(attempt, details)
        : connector.offRamp?.(attempt, details)
    if (!sent) throw new Error(`${connector.name} has a flow for a ramp that it does not have`)
    return sent
  }
  if (!connector.payout) throw new Error(`${connector.name} has a payout flow but no payout`)
  return connector.payout(attempt, changed(flow.details, change))
}

export function acceptedOf(fixture: Fixture, flow: Flow, sequence: number): LogEntry[] {
  const kind = operationOf(flow) === 'collect' ? 'charge' : 'payout'
  return fixture.acceptedSince(sequence).filter((entry) => entry.kind === kind)
}

/** A change that triggers the sentinel with these two digits. */
export function sentinel(flow: Flow, digits: string): FlowChange {
  if (flow.sentinels === 'account') return { accountEnding: digits }
  const cent = 10n ** BigInt(Math.max(exponentOf(flow.currency) - 2, 0))
  const whole = 100n * cent
  return { amountMinor: (flow.amountsMinor[0] / whole) * whole + BigInt(digits) * cent }
}

/** Acts as the customer until the payment is final or the rounds are used up. */
export async function runToEnd(
  fixture: Fixture,
  attempt: Attempt,
  from: AcceptedOutcome,
): Promise<AcceptedOutcome> {
  let latest = from
  for (let round = 0; round < roundsLimit && isOpen(latest); round += 1) {
    const known = { ...attempt, providerRef: latest.providerRef ?? attempt.providerRef }
    await actAsCustomer(fixture, known, latest.nextAction)
    await fixture.simulator.settle()
    const found = await inquireAs(fixture, known)
    const isSilent = found.kind === 'unknown' && fixture.harness.webhooks.decide === true
    if (!isSilent) latest = expectAccepted(found)
  }
  return latest
}

/** An inquiry with the id from webhooks that are not applied, and with its answer if that comes by webhook. */
export async function inquireAs(fixture: Fixture, attempt: Attempt): Promise<Inquiry> {
  const providerRef = providerRefFromWebhooks(fixture, attempt) ?? attempt.providerRef
  const reported = await webhookResult(fixture, attempt)
  return reported ?? answered(fixture, attempt, () => fixture.connector.inquire({ ...attempt, providerRef }))
}

/** The final state from verified webhooks, if webhooks decide, as the payments domain would apply it. */
export async function webhookResult(
  fixture: Fixture,
  { reference }: { reference: string },
): Promise<AcceptedOutcome | undefined> {
  if (fixture.harness.webhooks.decide !== true) return undefined
  let reported: AcceptedOutcome | undefined
  for (const request of fixture.receiver.received()) {
    const updates = fixture.connector.readWebhook?.(request.rawBody, request.url) ?? []
    const update = updates.find((one) => one.reference === reference && isEnd(one.state))
    const isGenuine = update && (await fixture.connector.verifyWebhook?.(request))?.kind === 'verified'
    if (isGenuine) {
      const { providerRef, providerStatus, state, amount } = update
      reported = { kind: 'accepted', providerRef, providerStatus, state, amount }
    }
  }
  return reported
}

const isEnd = ({ state }: ProviderState): boolean => state !== 'pending' && state !== 'processing'

/** Waits for the verified webhook with the answer, if the provider accepted the inquiry. */
export async function answered(
  fixture: Fixture,
  { reference }: { reference: string },
  inquire: () => Promise<Inquiry | undefined>,
): Promise<Inquiry> {
  const before = fixture.receiver.received().length
  const inquiry = (await inquire()) ?? { kind: 'unknown', reason: 'the connector has no such inquiry' }
  if (inquiry.kind !== 'unknown' || inquiry.isAsked !== true) return inquiry
  let answer: ProviderUpdate | undefined
  await vi
    .waitFor(async () => {
      for (const request of fixture.receiver.received().slice(before)) {
        const isAnswer = (await fixture.connector.verifyWebhook?.(request))?.kind === 'verified'
        const updates = isAnswer ? (fixture.connector.readWebhook?.(request.rawBody, request.url) ?? []) : []
        answer = updates.find((update) => update.reference === reference) ?? answer
      }
      expect(answer).toBeDefined()
    }, answerTimeoutMs)
    .catch(() => undefined)
  if (!answer) return inquiry
  const { providerRef, providerStatus, state, amount } = answer
  return { kind: 'accepted', providerRef, providerStatus, state, amount }
}

/** The provider's id from a webhook that is not applied, as the payments domain would use it. */
function providerRefFromWebhooks(fixture: Fixture, { reference }: Attempt): string | undefined {
  if (fixture.harness.definition.webhooks?.proves === 'account') return undefined
  const updates = fixture.receiver
    .received()
    .flatMap(({ rawBody, url }) => fixture.connector.readWebhook?.(rawBody, url) ?? [])
  return updates.findLast((update) => update.reference === reference)?.providerRef ?? undefined
}

/** Returns a completed payment. */
export async function completePayment(fixture: Fixture, flow: Flow): Promise<Attempt> {
  const { attempt, outcome } = await send(fixture, flow)
  const ended = await runToEnd(fixture, attempt, expectAccepted(outcome))
  expect(ended.state).toEqual({ state: 'completed' })
  return { ...attempt, providerRef: ended.providerRef ?? attempt.providerRef }
}

export function expectAccepted(answer: { kind: string } | AcceptedOutcome): AcceptedOutcome {
  expect(answer).toMatchObject({ kind: 'accepted' })
  if (!isAccepted(answer)) throw new Error('not accepted')
  return answer
}

export function expectFailed(answer: AcceptedOutcome, code: string | undefined): void {
  expect(answer.state).toMatchObject({ state: 'failed', failure: { message: expect.stringMatching(/\w/) } })
  if (code !== undefined) expect(answer.state).toMatchObject({ failure: { code } })
}

export function amountOf(entry: LogEntry | undefined): Money | undefined {
  if (!entry) return undefined
  const currency = entry.currency.toUpperCase()
  const amountMinor = parseMinor(entry.amount, currency)
  return amountMinor === undefined ? undefined : { amountMinor, currency }
}

const isAccepted = (answer: { kind: string }): answer is AcceptedOutcome => answer.kind === 'accepted'

const isOpen = ({ state }: AcceptedOutcome): boolean => !isEnd(state)

async function actAsCustomer(
  fixture: Fixture,
  attempt: Attempt,
  action: NextAction | undefined,
): Promise<void> {
  const page = action?.type === 'pay_by_link' ? action.paymentLink : undefined
  const url = action?.type === 'redirect' ? action.url : page
  const back = url === undefined ? undefined : await pressPay(url)
  if (back !== undefined) {
    const parameters = Object.fromEntries(new URL(back).searchParams)
    await fixture.connector.receiveReturn?.(attempt, parameters)
  }
  if (action?.type === 'collect_otp') {
    await fixture.connector.act?.(attempt, { type: 'submit_otp', otp: rightOtp })
  }
}

/** Presses the button that every hosted page of the simulator has, and returns the redirect. */
async function pressPay(url: string): Promise<string | undefined> {
  const body = new URLSearchParams({ decision: 'pay' })
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  expect(answer.status).toBeLessThan(400)
  return answer.headers.get('location') ?? undefined
}

function changed<Details extends CollectDetails | Payee>(details: Details, change: FlowChange): Details {
  const { accountEnding } = change
  const replaced = { ...details, ...change.details }
  if (accountEnding === undefined) return replaced
  return {
    ...replaced,
    ...(replaced.mobileMoney && { mobileMoney: endingMobile(replaced.mobileMoney, accountEnding) }),
    ...('bankAccount' in replaced && { bankAccount: endingAccount(replaced.bankAccount, accountEnding) }),
    ...('payerAccount' in replaced && { payerAccount: endingAccount(replaced.payerAccount, accountEnding) }),
  }
}

const changedRamp = (details: RampDetails, change: FlowChange): RampDetails => ({
  ...details,
  ...change.details,
  person: changed(details.person, { ...change, details: change.details?.person ?? {} }),
})

const endingMobile = (mobileMoney: MobileMoney, ending: string): MobileMoney => ({
  ...mobileMoney,
  phoneNumber: withEnding(mobileMoney.phoneNumber, ending),
})

const endingAccount = (account: BankAccount | undefined, ending: string): BankAccount => ({
  ...account,
  ...(account?.accountNumber !== undefined && { accountNumber: withEnding(account.accountNumber, ending) }),
  ...(account?.iban !== undefined && { iban: withEnding(account.iban, ending) }),
})

const withEnding = (text: string, ending: string): string => text.slice(0, -ending.length) + ending
