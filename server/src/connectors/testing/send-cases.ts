import { describe, expect, test } from 'vitest'
import {
  mainFlows,
  operationOf,
  refusalReasons,
  type ContractHarness,
  type Flow,
  type Refusal,
} from './harness.ts'
import { closedUrl } from './receiver.ts'
import {
  acceptedOf,
  amountOf,
  answered,
  inquireAs,
  runToEnd,
  expectAccepted,
  expectFailed,
  newAttempt,
  send,
  sendAttempt,
  sentinel,
  webhookResult,
  type SentAttempt,
} from './steps.ts'
import type { Fixture } from './fixture.ts'

export function sendCases(harness: ContractHarness, fixture: () => Fixture): void {
  const mains = new Set(mainFlows(harness.flows))
  for (const flow of harness.flows) {
    describe(flow.title, () => {
      happyCases(flow, fixture)
      if (!mains.has(flow)) return
      refusalCases(flow, fixture)
      onceCases(flow, fixture)
      unreachedCases(flow, fixture)
    })
  }
}

function happyCases(flow: Flow, fixture: () => Fixture): void {
  test('is accepted once, is found while it is open, and completes', async () => {
    const { attempt, outcome, accepted } = await send(fixture(), flow)
    const initiated = expectAccepted(outcome)
    expect(['pending', 'processing', 'completed']).toContain(initiated.state.state)
    expect(initiated.providerStatus).not.toBe('')
    expect(accepted()).toHaveLength(1)
    const found = flow.lookUp === false ? initiated : expectAccepted(await inquireAs(fixture(), attempt))
    expect(['pending', 'processing', 'completed']).toContain(found.state.state)
    const ended = await runToEnd(fixture(), attempt, found.nextAction ? found : initiated)
    expect(ended.state).toEqual({ state: 'completed' })
    expect(accepted()).toHaveLength(1)
  })

  test.each(flow.amountsMinor)(`%d minor units of ${flow.currency} arrive exactly`, async (amountMinor) => {
    const { outcome, accepted } = await send(fixture(), flow, { amountMinor })
    expectAccepted(outcome)
    expect(accepted().map(amountOf)).toEqual([{ amountMinor, currency: flow.currency }])
  })

  test.skipIf(flow.reportsAmount === false)('reports the paid amount exactly', async () => {
    const { attempt, outcome } = await send(fixture(), flow)
    const { providerRef } = await runToEnd(fixture(), attempt, expectAccepted(outcome))
    await fixture().simulator.settle()
    const known = { ...attempt, providerRef }
    const asked = await answered(fixture(), known, () => fixture().connector.inquire(known))
    const reported = asked.kind === 'accepted' ? asked : await webhookResult(fixture(), attempt)
    expect(reported).toMatchObject({ state: { state: 'completed' }, amount: attempt.amount })
  })

  const values = flow.testValues ?? []
  test.each(values.map((value) => [value.title, value] as const))(
    'the provider’s test value: %s',
    async (_title, { change, refusal }) => {
      await expectRefused(fixture(), await send(fixture(), flow, change), refusal)
    },
  )
}

function refusalCases(flow: Flow, fixture: () => Fixture): void {
  const on = operationOf(flow)

  test.each(refusalReasons)('a refusal (%s) is reported with our code and message', async (reason) => {
    fixture().setFault({ on, fault: 'decline', reason })
    await expectRefused(fixture(), await send(fixture(), flow), flow.refusals[reason])
  })

  test('a payment that is not approved fails later', async () => {
    const { attempt, outcome } = await send(fixture(), flow, sentinel(flow, '14'))
    const ended = await runToEnd(fixture(), attempt, expectAccepted(outcome))
    expectFailed(ended, undefined)
  })

  test('a payment without a final state stays open', async () => {
    const { attempt, outcome } = await send(fixture(), flow, sentinel(flow, '13'))
    const latest = await runToEnd(fixture(), attempt, expectAccepted(outcome))
    expect(['pending', 'processing']).toContain(latest.state.state)
  })

  test('HTTP 429 neither accepts the payment nor declines it for good', async () => {
    fixture().setFault({ on, fault: 'rate_limit' })
    const { outcome, accepted } = await send(fixture(), flow)
    if (outcome.kind === 'declined') expect(outcome.fallback).toBe(true)
    else expect(outcome.kind).toBe('unknown')
    expect(accepted()).toEqual([])
  })

  test('rejected credentials are a decline with fallback', async () => {
    const { harness, simulator, provider, lastSequence } = fixture()
    const connector = fixture().connectorWith(harness.wrongCredentials(simulator.providerUrl(provider)))
    const sequence = lastSequence()
    const outcome = await sendAttempt({ connector }, { flow, attempt: newAttempt(flow) })
    expect(['declined', 'not_sent']).toContain(outcome.kind)
    if (outcome.kind === 'declined') expect(outcome.fallback).toBe(true)
    expect(acceptedOf(fixture(), flow, sequence)).toEqual([])
    const inquiry = await connector.inquire(newAttempt(flow))
    expect(inquiry.kind).toBe('unknown')
  })
}

function onceCases(flow: Flow, fixture: () => Fixture): void {
  test.skipIf(flow.idempotent === false)('the same attempt sent again is accepted once', async () => {
    const sent = await send(fixture(), flow)
    expectAccepted(sent.outcome)
    const again = await sendAttempt(fixture(), { flow, attempt: { ...sent.attempt, providerRef: null } })
    expect(['accepted', 'unknown']).toContain(again.kind)
    expect(sent.accepted()).toHaveLength(1)
  })

  test.skipIf(flow.idempotent === false)(
    'the same attempt sent twice concurrently is accepted once',
    async () => {
      const attempt = newAttempt(flow)
      const sequence = fixture().lastSequence()
      const outcomes = await Promise.all([1, 2].map(() => sendAttempt(fixture(), { flow, attempt })))
      for (const outcome of outcomes) expect(['accepted', 'unknown']).toContain(outcome.kind)
      expect(acceptedOf(fixture(), flow, sequence)).toHaveLength(1)
    },
  )
}

function unreachedCases(flow: Flow, fixture: () => Fixture): void {
  test('a refused connection is not_sent', async () => {
    const connector = fixture().connectorWith(fixture().harness.credentials(await closedUrl()))
    const outcome = await sendAttempt({ connector }, { flow, attempt: newAttempt(flow) })
    expect(outcome).toMatchObject({ kind: 'not_sent' })
    expect(await connector.inquire(newAttempt(flow))).toMatchObject({ kind: 'unknown' })
  })
}

async function expectRefused(fixture: Fixture, sent: SentAttempt, refusal: Refusal): Promise<void> {
  const { outcome, attempt, accepted } = sent
  if (refusal.kind === 'declined') {
    const { code, fallback } = refusal
    expect(outcome).toMatchObject({ kind: 'declined', fallback, failure: { code } })
    expect(accepted()).toEqual([])
    return
  }
  const ended = await runToEnd(fixture, attempt, expectAccepted(outcome))
  if (refusal.kind === 'failed') expectFailed(ended, refusal.code)
  else expect(ended.state).toEqual({ state: refusal.kind })
}
