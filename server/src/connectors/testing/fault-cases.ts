import { describe, expect, test } from 'vitest'
import { mainFlows, operationOf, type ContractHarness, type Flow } from './harness.ts'
import { inquireAs, expectAccepted, send } from './steps.ts'
import type { Fixture } from './fixture.ts'

const answersLost = ['timeout_after', 'error_500_accepted', 'cut_answer', 'malformed_200'] as const
const neverAccepted = ['timeout_before', 'error_500', 'down', 'refuse'] as const
const inquiryFaults = [
  'timeout_before',
  'error_500',
  'rate_limit',
  'down',
  'refuse',
  'cut_answer',
  'malformed_200',
] as const

/** None of these is an answer that the provider documents. */
const unreadableAnswers = [
  [200, ''],
  [200, '{}'],
  [200, '[]'],
  [200, 'null'],
  [200, '"ok"'],
  [200, '{"status":"A_WORD_OF_NEXT_YEAR","data":{"status":7}}'],
  [200, '{"status":'],
  [202, '<html>queued</html>'],
  [204, ''],
  [302, ''],
  [400, '<html>bad request</html>'],
  [404, '<html>not found</html>'],
  [409, '{}'],
  [500, '{}'],
  [503, '<html>maintenance</html>'],
] as const

export function faultCases(harness: ContractHarness, fixture: () => Fixture): void {
  for (const flow of mainFlows(harness.flows)) {
    describe(`${flow.title}, under faults`, () => {
      lostAnswerCases(flow, fixture)
      inquiryCases(flow, fixture)
      unreadableCases(flow, fixture)
    })
  }
}

function lostAnswerCases(flow: Flow, fixture: () => Fixture): void {
  const on = operationOf(flow)

  test.each(answersLost)('%s: the outcome is unknown, and an inquiry finds the payment', async (fault) => {
    const { attempt, outcome, accepted } = await fixture().withFault({ on, fault }, () =>
      send(fixture(), flow),
    )
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/./) })
    expect(accepted()).toHaveLength(1)
    const inquiry = await inquireAs(fixture(), attempt)
    expect(inquiry.kind).toBe(flow.foundByReference === false ? 'unknown' : 'accepted')
    expect(accepted()).toHaveLength(1)
  })

  test.each(neverAccepted)('%s: the outcome is unknown, and an inquiry finds nothing', async (fault) => {
    const { attempt, outcome, accepted } = await fixture().withFault({ on, fault }, () =>
      send(fixture(), flow),
    )
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/./) })
    expect(accepted()).toEqual([])
    const inquiry = await inquireAs(fixture(), attempt)
    const isReported = flow.foundByReference !== false && flow.reportsNotFound !== false
    expect(inquiry.kind).toBe(isReported ? 'not_found' : 'unknown')
    expect(accepted()).toEqual([])
  })
}

function inquiryCases(flow: Flow, fixture: () => Fixture): void {
  test.skipIf(flow.lookUp === false).each(inquiryFaults)('an inquiry during %s is unknown', async (fault) => {
    const { attempt, outcome } = await send(fixture(), flow)
    expectAccepted(outcome)
    const inquiry = await fixture().withFault({ on: 'inquire', fault }, () =>
      fixture().connector.inquire(attempt),
    )
    expect(inquiry).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/./) })
    fixture().clearFaults()
    expectAccepted(await inquireAs(fixture(), attempt))
  })
}

function unreadableCases(flow: Flow, fixture: () => Fixture): void {
  test.each(unreadableAnswers)('an answer of %d %j to the payment is unknown', async (status, body) => {
    const { outcome, accepted } = await fixture().withAnswer({ of: 'acceptance', status, body }, () =>
      send(fixture(), flow),
    )
    expect(accepted()).toHaveLength(1)
    expect(outcome).toMatchObject({ kind: 'unknown' })
  })

  test.each(unreadableAnswers)('an answer of %d %j to an inquiry is unknown', async (status, body) => {
    const { attempt } = await send(fixture(), flow)
    const inquiry = await fixture().withAnswer({ of: 'all', status, body }, () =>
      fixture().connector.inquire(attempt),
    )
    expect(inquiry).toMatchObject({ kind: 'unknown' })
  })
}
