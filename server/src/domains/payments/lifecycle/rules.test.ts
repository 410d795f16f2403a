import { describe, expect, it } from 'vitest'
import {
  canMove,
  decide,
  isOpen,
  isReversal,
  isSettled,
  movesTo,
  providersFailed,
  statuses,
  transitions,
  type Decision,
  type Fact,
  type Situation,
  type Status,
} from './rules.ts'
import { accepted, attemptStates, sampleFailure as failure } from '../testing/sample-facts.ts'

/** The table of the design, written down a second time: a slip in the code shows as a difference. */
const waysFrom: Readonly<Record<string, readonly string[]>> = {
  initiated: ['reviewed', 'confirmed', 'rejected', 'canceled'],
  reviewed: ['confirmed', 'rejected', 'canceled'],
  confirmed: ['processing', 'failed', 'canceled'],
  processing: ['pending', 'completed', 'failed', 'refunded', 'rejected', 'canceled'],
  pending: ['processing', 'completed', 'failed', 'rejected', 'canceled'],
  completed: ['refunded'],
  failed: ['completed'],
}
const allowed = Object.entries(waysFrom).flatMap(([from, ends]) => ends.map((to) => `${from} ${to}`))

const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to })))

describe('the transition table', () => {
  it.each(pairs)('from $from to $to is as the design says', ({ from, to }) => {
    expect(canMove(from, to)).toBe(allowed.includes(`${from} ${to}`))
  })

  it('has no row and no target that is not a status', () => {
    expect(Object.keys(transitions).sort()).toEqual([...statuses].sort())
    expect(Object.values(transitions).flat()).toHaveLength(allowed.length)
  })

  it.each(['refunded', 'rejected', 'canceled'] as const)('%s is the end', (status) => {
    expect(statuses.filter((to) => canMove(status, to))).toEqual([])
  })

  it.each(pairs)('a way from $from to $to, where there is one, goes along the table', ({ from, to }) => {
    let way: Status[]
    try {
      way = movesTo(from, to)
    } catch {
      expect(canMove(from, to)).toBe(false)
      return
    }
    expect(way.at(-1) ?? from).toBe(to)
    expectAlongTheTable(from, way)
  })

  it('nothing open counts as settled, and what is settled moves only to completed or refunded', () => {
    const settled = statuses.filter(isSettled)
    expect(settled).toEqual(['completed', 'failed', 'refunded', 'rejected', 'canceled'])
    expect(settled.flatMap((status) => transitions[status])).toEqual(['refunded', 'completed'])
  })
})

const facts: Fact[] = [
  accepted({ state: 'pending' }),
  accepted({ state: 'processing' }),
  accepted({ state: 'completed' }),
  accepted({ state: 'canceled' }),
  accepted({ state: 'failed', failure }),
  { kind: 'declined', failure, fallback: true },
  { kind: 'declined', failure, fallback: false },
  { kind: 'not_sent', reason: 'ECONNREFUSED' },
  { kind: 'unknown', reason: 'timeout' },
]
const booleans = [true, false]
/** Only payouts are funded by an account, and what a provider says about them is certain. */
const endings = [
  { isPayout: false, isFunded: false, isCertain: false },
  { isPayout: false, isFunded: false, isCertain: true },
  { isPayout: true, isFunded: false, isCertain: true },
  { isPayout: true, isFunded: true, isCertain: true },
]
/** An attempt exists from `confirmed` on: before that no provider may be called. */
const withAttempts = statuses.filter((status) => status !== 'initiated' && status !== 'reviewed')
const situationsOf = (of: readonly Status[]): Situation[] =>
  of.flatMap((status) =>
    attemptStates.flatMap((attempt) =>
      booleans.flatMap((hasNextRoute) =>
        booleans.flatMap((reachedCustomer) =>
          endings.map((ending) => ({
            status,
            attempt,
            hasNextRoute,
            reachedCustomer,
            ...ending,
            isReversed: false,
          })),
        ),
      ),
    ),
  )
const situations = situationsOf(withAttempts)

interface Case {
  situation: Situation
  fact: Fact
  decision: Decision
}
const casesOf = (chosen: readonly Situation[], about: readonly Fact[] = facts): Case[] =>
  chosen.flatMap((situation) => about.map((fact) => ({ situation, fact, decision: decide(situation, fact) })))
const ofKind = (...kinds: Fact['kind'][]): Fact[] => facts.filter((fact) => kinds.includes(fact.kind))

const takesBack = (fact: Fact): boolean => fact.kind === 'accepted' && isReversal(fact.state)

/** Every case at once: a failure names the combinations that break the promise. */
const expectOfEvery = (cases: readonly Case[], holds: (one: Case) => boolean): void => {
  expect(cases.length).toBeGreaterThan(0)
  expect(cases.filter((one) => !holds(one))).toEqual([])
}

function expectAlongTheTable(from: Status, moves: readonly Status[]): void {
  let at = from
  for (const next of moves) {
    expect(`${at} to ${next}: ${canMove(at, next)}`).toBe(`${at} to ${next}: true`)
    at = next
  }
}

describe('decide, over every combination of situation and fact', () => {
  it('never makes an illegal move', () => {
    for (const { situation, decision } of casesOf(situations))
      expectAlongTheTable(situation.status, decision.moves)
  })

  it('no word of a provider sends, completes or fails a payment that waits for its review', () => {
    for (const situation of situationsOf(['initiated', 'reviewed']))
      for (const fact of facts)
        try {
          expect(['', 'canceled']).toContain(decide(situation, fact).moves.join())
        } catch (error) {
          expect(String(error)).toContain('a payment cannot move')
        }
  })

  it('tries the next route only after a definite refusal of an attempt that no customer has seen', () => {
    expectOfEvery(casesOf(situations), ({ situation, fact, decision }) => {
      const isDefinite = fact.kind === 'not_sent' || (fact.kind === 'declined' && fact.fallback)
      const isUnseen = situation.attempt === 'sending' || situation.attempt === 'unknown'
      const may =
        isDefinite &&
        isUnseen &&
        !situation.reachedCustomer &&
        situation.hasNextRoute &&
        !isSettled(situation.status)
      return decision.tryNext === may
    })
  })

  it('never tries the next route after an acceptance, nor after a prompt, nor on unknown', () => {
    const forbidden = casesOf(situations).filter(
      ({ situation, fact }) =>
        situation.attempt === 'accepted' ||
        situation.reachedCustomer ||
        fact.kind === 'unknown' ||
        fact.kind === 'accepted',
    )
    expectOfEvery(forbidden, ({ decision }) => !decision.tryNext)
  })

  it('a next route closes the attempt before it and leaves the status alone', () => {
    const trying = casesOf(situations).filter(({ decision }) => decision.tryNext)
    expectOfEvery(trying, ({ decision }) => !isOpen(decision.attempt) && decision.moves.length === 0)
  })

  it('unknown never becomes failed, and never ends an attempt', () => {
    expectOfEvery(casesOf(situations, ofKind('unknown')), ({ situation, decision }) => {
      const stays = decision.moves.length === 0 || decision.moves.join() === 'processing'
      return stays && decision.failure === undefined && isOpen(decision.attempt) === isOpen(situation.attempt)
    })
  })

  it('what a provider has accepted is not ended by "it never got there"', () => {
    const cases = casesOf(situations, ofKind('not_sent')).filter(
      ({ situation }) => situation.attempt === 'accepted',
    )
    expectOfEvery(cases, ({ decision }) => decision.attempt === 'accepted' && decision.moves.length === 0)
  })

  it('a closed attempt never opens again', () => {
    const closed = casesOf(situations).filter(({ situation }) => !isOpen(situation.attempt))
    expectOfEvery(closed, ({ decision }) => !isOpen(decision.attempt))
  })

  it('a succeeded attempt remains succeeded, and an uncertain reversal goes to manual review', () => {
    const cases = casesOf(situations).filter(({ situation }) => situation.attempt === 'succeeded')
    const uncertain = cases.filter(({ situation }) => !situation.isCertain)
    expectOfEvery(uncertain, ({ situation, fact, decision }) => {
      const isRaised = takesBack(fact) && situation.status === 'completed'
      const isExpected = decision.exception === (isRaised ? 'reversed_after_completion' : undefined)
      return isExpected && decision.moves.length === 0
    })
    expectOfEvery(cases, ({ decision }) => decision.attempt === 'succeeded')
  })

  it('a completed payment that the provider takes back is refunded once, and raises an exception', () => {
    const cases = casesOf(situations).filter(
      ({ situation, fact }) => situation.attempt === 'succeeded' && situation.isCertain && takesBack(fact),
    )
    expectOfEvery(cases, ({ situation: { status, isPayout, isFunded }, decision }) => {
      const payout = isFunded ? 'returned_to_account' : 'payout_returned'
      const expected = isPayout ? `refunded RETURNED ${payout}` : 'refunded REVERSED payin_reversed'
      const { moves, failure: reason, exception } = decision
      return [moves.join(), reason?.code, exception].join(' ') === (status === 'completed' ? expected : '  ')
    })
  })

  it('a payment that has ended moves only from failed to completed or back to its account, and that is flagged', () => {
    const ended = casesOf(situations).filter(({ situation }) => isSettled(situation.status))
    expectOfEvery(ended, ({ situation, decision }) => {
      const move = `${situation.status} ${decision.moves.join()}`
      if (move === 'failed completed') return decision.exception === 'late_success'
      if (move === 'completed refunded') return situation.isCertain && decision.exception !== undefined
      return decision.moves.length === 0
    })
  })

  it('money that arrives after the end, or by a route that was given up, goes to manual review', () => {
    const completed = casesOf(situations, [accepted({ state: 'completed' })])
    const late = completed.filter(
      ({ situation: { status, attempt } }) =>
        attempt !== 'succeeded' && status !== 'failed' && (isSettled(status) || !isOpen(attempt)),
    )
    expectOfEvery(
      late,
      ({ decision }) => decision.exception === 'money_after_end' && decision.moves.length === 0,
    )
  })

  it('a success that is reported after its reversal changes nothing', () => {
    const reversed = situations
      .filter(({ attempt }) => attempt === 'failed')
      .map((situation) => ({ ...situation, isReversed: true }))
    expectOfEvery(
      casesOf(reversed, [accepted({ state: 'completed' })]),
      ({ decision }) => decision.attempt === 'failed' && decision.moves.length === 0 && !decision.exception,
    )
  })

  it('a failure is given exactly when the payment fails by it or is taken back', () => {
    expectOfEvery(
      casesOf(situations).filter(({ situation }) => situation.status !== 'failed'),
      ({ decision }) =>
        (decision.failure !== undefined) === ['failed', 'refunded'].includes(decision.moves.at(-1) ?? ''),
    )
  })

  it('an open payment whose provider completes it is completed', () => {
    const open = situations.filter(({ status, attempt }) => !isSettled(status) && isOpen(attempt))
    expectOfEvery(
      casesOf(open, [accepted({ state: 'completed' })]),
      ({ decision }) => decision.moves.at(-1) === 'completed' && decision.attempt === 'succeeded',
    )
  })

  it('a refusal keeps its own reason; only a payment that was never sent has no other', () => {
    const situation: Situation = {
      status: 'confirmed',
      attempt: 'sending',
      hasNextRoute: false,
      reachedCustomer: false,
      isPayout: false,
      isFunded: false,
      isCertain: false,
      isReversed: false,
    }
    expect(decide(situation, { kind: 'not_sent', reason: 'x' }).failure).toEqual(providersFailed)
    expect(decide(situation, { kind: 'declined', failure, fallback: true }).failure).toEqual(failure)
    expect(decide(situation, { kind: 'declined', failure, fallback: false }).failure).toEqual(failure)
  })
})
