import type { AttemptState, Fact } from '../lifecycle/rules.ts'

type AcceptedFact = Extract<Fact, { kind: 'accepted' }>

export const attemptStates: AttemptState[] = [
  'sending',
  'accepted',
  'succeeded',
  'failed',
  'declined',
  'not_sent',
  'unknown',
]

export const sampleFailure = { code: 'CARD_DECLINED', message: 'The card was declined.' }

export const accepted = (state: AcceptedFact['state'], change: Partial<AcceptedFact> = {}): Fact => ({
  kind: 'accepted',
  providerRef: 'ref',
  providerStatus: state.state,
  state,
  ...change,
})
