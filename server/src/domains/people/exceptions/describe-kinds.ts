const adjust =
  'correct the ledger with POST /v1/ledger/adjustments, naming this exception, which closes it with the approval'
const close = 'close this with POST /v1/payments/exceptions/{exception_id}/close'
const release =
  'say what became of the money with POST /v1/payments/exceptions/{exception_id}/release-money, which closes this'
const resolve =
  'Ask the provider with POST /v1/payments/{payment_id}/inquire. If it cannot tell, find out from its statement or support and propose the outcome with POST /v1/payments/{payment_id}/resolve; the approval closes this.'

/** What to do about each kind of exception, and the call that settles it. Every kind that is raised is listed here. */
export const suggestedActions = {
  outcome_unknown: resolve,
  pending_too_long: `Cancel it with POST /v1/payments/{payment_id}/cancel if it can still be canceled. ${resolve}`,
  late_success: `Check whether the customer was asked to pay again, and refund one of the two with POST /v1/payments/{payment_id}/refund if so. Then ${close}.`,
  reversed_after_completion: `Compare with the provider’s statement. If a payout came back, propose it with POST /v1/payments/{payment_id}/resolve as returned; if a payin went back, ${adjust}.`,
  payin_reversed: `Tell the customer that the payment is open again. The balance was debited, so nothing else has to be done here: ${close}.`,
  payout_returned: `Check the beneficiary’s account before you pay again. The balance was credited, so nothing else has to be done here: ${close}.`,
  returned_to_account: `Tell the account’s holder, and check the beneficiary’s account before the next try. Then ${close}.`,
  money_after_end: `Compare with the provider’s statement. If the provider keeps the money for you, ${adjust}; if it went back, ${close}.`,
  amount_differs: `Compare with the provider’s statement and ${adjust}. If the payment has not ended, propose its outcome with POST /v1/payments/{payment_id}/resolve, too.`,
  resolution_contradicted: `Compare the evidence of the decision with the provider’s statement. Where the payment or the ledger is wrong, ${adjust}; else ${close}.`,
  refund_unknown:
    'Find out from the provider’s statement or support, and propose the outcome with POST /v1/payments/{payment_id}/refunds/{refund_id}/resolve; the approval closes this.',
  refund_elsewhere: `Check that it was meant. It is booked, so nothing else has to be done here: ${close}.`,
  refund_unmatched: `Compare with the provider’s statement, and ask again with POST /v1/payments/{payment_id}/inquire. If the money went out, ${adjust}; else ${close}.`,
  refund_exceeds_payment: `Find out who pays for the excess: returned if the provider made up for it, kept if the organisation pays it. Then ${release}.`,
  negative_balance: `Ask the organisation to pay in what is missing, raise its limit with PUT /v1/organizations/{org_id}/credit-limits, or ${adjust}. When it is covered, ${close}.`,
  refund_after_failure: `Check the provider’s statement, and whether the customer was refunded again since. If the money went out, ${adjust}; else ${close}.`,
  refund_reversed: `Compare with the provider’s statement. If the money came back, ${adjust}; else ${close}.`,
  dispute_of_unpaid: `A disputed payment was paid: ask the provider with POST /v1/payments/{payment_id}/inquire. Once it is completed, the next comparison of disputes books it. Then ${close}.`,
  dispute_of_ramp: `Answer it in the provider’s dashboard. For what it withdraws, ${adjust}.`,
  dispute_contradicted: `Compare with the provider’s dashboard and statement. If they differ from the ledger, ${adjust}; else ${close}.`,
  dispute_currency: `Compare with the provider’s statement and ${adjust}.`,
  dispute_exceeds_payment: `Find out who pays for the excess: returned if the provider made up for it, kept if the organisation pays it. Then ${release}.`,
  dispute_of_refunded: `Submit the proof of the refund with POST /v1/disputes/{dispute_id}/evidence, or the payer is paid twice. Then ${close}.`,
  dispute_action_unknown: `Look at the dispute in the provider’s dashboard, and respond there before its deadline if it has no response. Then ${close}.`,
  ramp_underpaid: `Ask the customer for the rest and pay out by hand, or return what arrived. Then ${release}.`,
  ramp_overpaid: `Return the surplus to the customer, or agree with them on a second ramp. Then ${release}.`,
  ramp_paid_late: `Return the money, or start a new ramp at today’s rate and settle it by hand. Then ${release}.`,
  ramp_paid_again: `Return it to the customer, or keep it for them. Then ${release}.`,
  ramp_not_delivered: `Pay it out another way, or return it to an account or address that the customer names. Then ${release}.`,
  ramp_unknown: resolve,
  ramp_amount_differs: `Compare the leg with the provider’s statement. ${resolve}`,
  ramp_reversed: `Compare with the provider’s statement. If the money went back, ${adjust}; else ${close}.`,
  ramp_money_after_end: `Compare with the provider’s statement. If the provider keeps the money for you, ${adjust}; if it went back, ${close}.`,
  change_control_off: `Ask the organisation whether this is intended, and watch its payouts. Then ${close}.`,
  unknown_reference: `Find it in the provider’s dashboard. If it is money of an organisation, correct its ledger with POST /v1/ledger/adjustments. Then ${close}.`,
  message_from_other_account: `Check who can sign for this account. If the webhook address was given to the wrong account at the provider, correct it there. Then ${close}.`,
  reconciliation_failed: `Check the credentials of the account and run it again with POST /v1/payments/reconciliation. Then ${close}.`,
  reversal_missed: `Check the status of the payment and the deliveries of the webhook at the provider. Then ${close}.`,
  refund_missed: `Check the refunds of the payment and the deliveries of the webhook at the provider. Then ${close}.`,
  deposit_missed: `Check the address and the deliveries of the webhook at the provider. Then ${close}.`,
  deposit_taken_back: `Compare with the provider’s statement. If the money is gone, take it from the virtual account or ${adjust}; else ${close}.`,
  missing_here: `Find out who made it. If it is money of an organisation, correct its ledger with POST /v1/ledger/adjustments. Then ${close}.`,
  missing_there:
    'Ask the provider with our reference, or with POST /v1/payments/{payment_id}/inquire. If a payment is in doubt, propose its outcome with POST /v1/payments/{payment_id}/resolve; then ' +
    `${close}.`,
  state_differs: `Open the payment’s timeline and ask again with POST /v1/payments/{payment_id}/inquire. A payout that came back is resolved as returned with POST /v1/payments/{payment_id}/resolve. Then ${close}.`,
  escrow_payout_failed: `Correct the beneficiary or account and pay again with POST /v1/virtual-accounts/escrow/{escrow_id}/milestones/{milestone_id}/disburse, or cancel the escrow to return the share. Then ${close}.`,
  unmatched_deposit:
    'Credit it with POST /v1/payments/exceptions/{exception_id}/assign-deposit, or return it to the sender and say so with POST /v1/payments/exceptions/{exception_id}/return-deposit. Both close this.',
} as const

export type ExceptionKind = keyof typeof suggestedActions
