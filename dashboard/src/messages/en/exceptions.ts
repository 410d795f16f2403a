export const exceptions = {
  title: 'Exceptions',
  kind: 'Kind',
  status: 'Status',
  statuses: { open: 'Open', closed: 'Closed' },
  mine: 'Assigned to',
  me: 'Me',
  summary: 'What was found',
  held: 'Held',
  assignee: 'Assigned to',
  nobody: 'nobody',
  since: 'Raised',
  empty: 'No exceptions',
  emptyText: 'Findings that a person has to decide on appear here, such as a payment in doubt.',
} as const

/** What each kind is called, and what it means. */
export const exceptionKinds = {
  outcome_unknown: {
    name: 'Outcome unknown',
    meaning:
      'The provider may or may not have processed the payment. It is neither sent again nor marked as failed.',
  },
  pending_too_long: {
    name: 'Pending too long',
    meaning: 'The provider has had the payment for a week and has not reported an outcome.',
  },
  late_success: {
    name: 'Late success',
    meaning: 'A payment that was marked as failed succeeded later and is now completed.',
  },
  reversed_after_completion: {
    name: 'Reversed after completion',
    meaning: 'The provider reversed a payment that it had reported as completed.',
  },
  payin_reversed: {
    name: 'Payin reversed',
    meaning: 'The payer’s money was returned, and your balance was debited.',
  },
  payout_returned: { name: 'Payout returned', meaning: 'The recipient’s bank returned a payout.' },
  returned_to_account: {
    name: 'Returned to account',
    meaning: 'A withdrawal was returned and credited to its virtual account.',
  },
  money_after_end: {
    name: 'Money after the payment ended',
    meaning: 'Money arrived for a payment that had already ended.',
  },
  amount_differs: {
    name: 'Amount differs',
    meaning: 'The provider reports a different amount from the payment’s.',
  },
  resolution_contradicted: {
    name: 'Decision contradicted',
    meaning: 'The provider contradicts the outcome that two people decided on.',
  },
  refund_unknown: { name: 'Refund outcome unknown', meaning: 'It is not known whether the refund was made.' },
  refund_elsewhere: {
    name: 'Refund made at the provider',
    meaning: 'A refund was made directly at the provider.',
  },
  refund_unmatched: {
    name: 'Unmatched refund',
    meaning: 'The provider reports a refund that matches none of ours.',
  },
  refund_exceeds_payment: {
    name: 'Refund exceeds payment',
    meaning: 'More was refunded at the provider than was paid.',
  },
  refund_after_failure: {
    name: 'Refund after failure',
    meaning: 'A refund that was marked as failed was made after all.',
  },
  refund_reversed: { name: 'Refund reversed', meaning: 'A completed refund was reversed.' },
  negative_balance: { name: 'Negative balance', meaning: 'The balance is below its limit.' },
  dispute_of_unpaid: {
    name: 'Dispute of an unpaid payment',
    meaning: 'A payer disputes a payment that is not completed here.',
  },
  dispute_of_ramp: { name: 'Dispute of a ramp', meaning: 'A payer disputes the payment of a ramp.' },
  dispute_contradicted: {
    name: 'Dispute contradicted',
    meaning: 'The provider’s messages about a dispute contradict each other.',
  },
  dispute_currency: {
    name: 'Dispute in another currency',
    meaning: 'A dispute moved money in a currency other than the payment’s.',
  },
  dispute_exceeds_payment: {
    name: 'Dispute exceeds payment',
    meaning: 'A dispute and refunds together gave back more than was paid.',
  },
  dispute_of_refunded: {
    name: 'Dispute of a refunded payment',
    meaning: 'A payer disputes a payment that was refunded, so they may be paid back twice.',
  },
  dispute_action_unknown: {
    name: 'Dispute response unknown',
    meaning: 'It is not known whether the provider has received the response to a dispute.',
  },
  ramp_underpaid: { name: 'Ramp underpaid', meaning: 'Less money arrived than the ramp requires.' },
  ramp_overpaid: { name: 'Ramp overpaid', meaning: 'More money arrived than the ramp requires.' },
  ramp_paid_late: { name: 'Ramp paid late', meaning: 'The money arrived after the ramp had expired.' },
  ramp_paid_again: { name: 'Ramp paid twice', meaning: 'A ramp was paid a second time.' },
  ramp_not_delivered: { name: 'Ramp not delivered', meaning: 'The money arrived but could not be paid out.' },
  ramp_unknown: { name: 'Ramp outcome unknown', meaning: 'The outcome of a leg of the ramp is not known.' },
  ramp_amount_differs: {
    name: 'Ramp amount differs',
    meaning: 'The provider reports a different amount from the leg’s.',
  },
  ramp_reversed: { name: 'Ramp reversed', meaning: 'A completed leg of the ramp was reversed.' },
  ramp_money_after_end: {
    name: 'Money after the ramp ended',
    meaning: 'Money arrived for a ramp that had already ended.',
  },
  change_control_off: {
    name: 'Change control is off',
    meaning: 'The only administrator of an organisation switched off the second approval of changes.',
  },
  unknown_reference: {
    name: 'Unknown reference',
    meaning: 'A message from a provider refers to an unknown payment.',
  },
  message_from_other_account: {
    name: 'Message from another account',
    meaning: 'A provider account sent a message about another account’s payment.',
  },
  reconciliation_failed: {
    name: 'Reconciliation failed',
    meaning: 'The transaction list of a provider account could not be read.',
  },
  reversal_missed: {
    name: 'Missed reversal',
    meaning: 'The provider’s list has a reversal that was never reported.',
  },
  refund_missed: {
    name: 'Missed refund',
    meaning: 'The provider’s list has a refund that was never reported.',
  },
  deposit_taken_back: {
    name: 'Deposit taken back',
    meaning: 'The provider took back a deposit that was booked to a virtual account.',
  },
  deposit_missed: {
    name: 'Missed deposit',
    meaning: 'The provider’s list has a deposit that was never reported.',
  },
  missing_here: {
    name: 'Missing here',
    meaning: 'The provider’s list has a payment that is missing here.',
  },
  missing_there: {
    name: 'Missing at the provider',
    meaning: 'One of our payments is missing from the provider’s list.',
  },
  state_differs: {
    name: 'State differs',
    meaning: 'A payment’s state in the provider’s list differs from its state here.',
  },
  escrow_payout_failed: {
    name: 'Escrow payout failed',
    meaning: 'A share of a milestone could not be paid out.',
  },
  unmatched_deposit: {
    name: 'Unmatched deposit',
    meaning: 'Money arrived that matches no virtual account. It is held in suspense until a person decides.',
  },
} as const
