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
  emptyText: 'What the service must not decide by itself appears here, such as a payment in doubt.',
} as const

/** What each kind is called, and what it means. */
export const exceptionKinds = {
  outcome_unknown: {
    name: 'Outcome unknown',
    meaning:
      'The provider may or may not have carried the payment out. It is not sent again and not called failed.',
  },
  pending_too_long: {
    name: 'Pending too long',
    meaning: 'The provider has the payment and has not said for a week what became of it.',
  },
  late_success: {
    name: 'Late success',
    meaning: 'A payment that had failed was paid after all, and is now completed.',
  },
  reversed_after_completion: {
    name: 'Reversed after completion',
    meaning: 'The provider took back a payment that it had reported as completed.',
  },
  payin_reversed: {
    name: 'Payin reversed',
    meaning: 'The payer’s money went back, and your balance was debited.',
  },
  payout_returned: { name: 'Payout returned', meaning: 'The recipient’s bank sent a payout back.' },
  returned_to_account: {
    name: 'Returned to account',
    meaning: 'A withdrawal came back and was credited to its virtual account.',
  },
  money_after_end: { name: 'Money after the end', meaning: 'Money arrived for a payment that had ended.' },
  amount_differs: {
    name: 'Amount differs',
    meaning: 'The provider reports another amount than the payment has.',
  },
  resolution_contradicted: {
    name: 'Decision contradicted',
    meaning: 'The provider contradicts what two people decided about a payment.',
  },
  refund_unknown: { name: 'Refund unknown', meaning: 'Nobody knows whether the refund was carried out.' },
  refund_elsewhere: { name: 'Refund made elsewhere', meaning: 'A refund was made at the provider itself.' },
  refund_unmatched: {
    name: 'Refund without a match',
    meaning: 'The provider reports a refund that matches none of ours.',
  },
  refund_exceeds_payment: {
    name: 'Refund exceeds payment',
    meaning: 'More was refunded at the provider than the payment had.',
  },
  refund_after_failure: {
    name: 'Refund after failure',
    meaning: 'A refund that had failed was carried out after all.',
  },
  refund_reversed: { name: 'Refund reversed', meaning: 'A completed refund came back.' },
  negative_balance: { name: 'Negative balance', meaning: 'The balance is below its limit.' },
  dispute_of_unpaid: {
    name: 'Dispute of an unpaid payment',
    meaning: 'A payer disputes a payment that is not completed here.',
  },
  dispute_of_ramp: { name: 'Dispute of a ramp', meaning: 'A payer disputes the payment of a ramp.' },
  dispute_contradicted: {
    name: 'Dispute contradicted',
    meaning: 'Messages about a dispute do not fit each other.',
  },
  dispute_currency: {
    name: 'Dispute in another currency',
    meaning: 'A dispute moved money in another currency.',
  },
  dispute_of_refunded: {
    name: 'Dispute of a refunded payment',
    meaning: 'A payer disputes a payment that was refunded: they may be paid twice.',
  },
  dispute_action_unknown: {
    name: 'Response unknown',
    meaning: 'Nobody knows whether the provider has our response to a dispute.',
  },
  ramp_underpaid: { name: 'Ramp underpaid', meaning: 'Less arrived than the ramp needs.' },
  ramp_overpaid: { name: 'Ramp overpaid', meaning: 'More arrived than the ramp needs.' },
  ramp_paid_late: { name: 'Ramp paid late', meaning: 'The money arrived after the ramp had expired.' },
  ramp_paid_again: { name: 'Ramp paid twice', meaning: 'A ramp was paid a second time.' },
  ramp_not_settled: { name: 'Ramp not settled', meaning: 'The money arrived and could not be paid out.' },
  ramp_unknown: { name: 'Ramp unknown', meaning: 'Nobody knows what became of a leg of the ramp.' },
  ramp_amount_differs: {
    name: 'Amount of a ramp differs',
    meaning: 'The provider reports another amount than the leg has.',
  },
  ramp_reversed: { name: 'Ramp reversed', meaning: 'A completed leg of the ramp was taken back.' },
  ramp_money_after_end: {
    name: 'Money after a ramp’s end',
    meaning: 'Money arrived for a ramp that had ended.',
  },
  change_control_off: {
    name: 'Change control is off',
    meaning: 'The only administrator of an organisation switched off the need for a second person.',
  },
  unknown_reference: {
    name: 'Unknown reference',
    meaning: 'A provider’s message names a payment that is not known here.',
  },
  message_from_other_account: {
    name: 'Message from another account',
    meaning: 'An account sent a message about a payment of another account.',
  },
  reconciliation_failed: {
    name: 'Reconciliation failed',
    meaning: 'The list of a provider’s account could not be read.',
  },
  reversal_missed: {
    name: 'Missed reversal',
    meaning: 'The provider’s list has a reversal that was not reported.',
  },
  refund_missed: {
    name: 'Missed refund',
    meaning: 'The provider’s list has a refund that was not reported.',
  },
  deposit_missed: {
    name: 'Missed deposit',
    meaning: 'The provider’s list has a deposit that was not reported.',
  },
  missing_here: {
    name: 'Missing here',
    meaning: 'The provider’s list has a payment that is not known here.',
  },
  missing_there: {
    name: 'Missing at the provider',
    meaning: 'A payment of ours is not in the provider’s list.',
  },
  state_differs: {
    name: 'State differs',
    meaning: 'The provider’s list has another state for a payment than we have.',
  },
  escrow_payout_failed: {
    name: 'Escrow payout failed',
    meaning: 'The share of a milestone could not be paid out.',
  },
  unmatched_deposit: {
    name: 'Unmatched deposit',
    meaning: 'Money arrived for which there is no virtual account. It is held until a person decides.',
  },
} as const
