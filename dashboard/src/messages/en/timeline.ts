/** What happened to a payment, one sentence for each entry of its timeline. */
export const timeline = {
  attempt: (no: string, provider: string, state: string) => `Attempt ${no} at ${provider}: ${state}`,
  inquiry: (no: string, result: string) => `Inquiry about attempt ${no}: ${result}`,
  webhook: (provider: string, status: string) => `${provider} reports ${status}`,
  movement: (from: string, to: string, amount: string) => `${from} → ${to}, ${amount}`,
  exchange: (from: string, to: string, network: string) => `${from} → ${to}, ${network}`,
  delivery: (event: string, host: string, status: string) => `${event} to ${host}: ${status}`,
  deleted: 'a deleted endpoint',
  decided: (people: string, outcome: string) => `${people}: ${outcome}`,
  refund: (amount: string, state: string) => `Refund of ${amount}: ${state}`,
  dispute: (amount: string, state: string) => `Dispute of ${amount}: ${state}`,
  leg: ({
    kind,
    amount,
    provider,
    state,
  }: {
    kind: string
    amount: string
    provider: string
    state: string
  }) => `${kind} of ${amount} at ${provider}: ${state}`,
  states: {
    sending: 'being sent',
    accepted: 'accepted',
    succeeded: 'succeeded',
    completed: 'completed',
    processing: 'processing',
    failed: 'failed',
    declined: 'declined',
    not_sent: 'not sent',
    unknown: 'outcome unknown',
  },
  outcomes: {
    approve: 'approved',
    reject: 'rejected',
    completed: 'completed',
    failed: 'failed',
    returned: 'returned',
  },
  legs: { collection: 'Collection', delivery: 'Delivery', refund: 'Refund', whole: 'Exchange' },
  phases: { pending: 'held', post: 'posted', void: 'released' },
  postings: {
    payin: 'Payment credited',
    'payin.reversed': 'Payment reversed',
    'payin.reversed.fx': 'Payment reversed, exchange',
    'payout.hold': 'Payout',
    'payout.settled': 'Payout settled',
    'payout.returned': 'Payout returned',
    'payout.late': 'Payout settled late',
    'fx.sold': 'Currency sold',
    'fx.bought': 'Currency bought',
    fee: 'Fee',
    'fee.late': 'Fee of a late payment',
    'fee.returned': 'Fee returned',
    'provider.cost': 'Provider cost',
  },
} as const
