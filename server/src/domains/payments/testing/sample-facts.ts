import type { AttemptState, Fact } from '../lifecycle/rules.ts'

type Accepted = Extract<Fact, { kind: 'accepted' }>

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

export const accepted = (state: Accepted['state'], change: Partial<Accepted> = {}): Fact => ({
  kind: 'accepted',
  providerRef: 'ref',
  providerStatus: state.state,
  state,
  ...change,
})
