import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { findCharge } from './charge-terms.ts'
import { handled, refused } from './envelope.ts'
import { listAnswer } from './listing.ts'
import { chargeDetailsOf, chargeStatusOf, presentCharge } from './present.ts'

export function verifyById(kit: Kit, call: Call): Answer {
  return verified(kit.transactions.findByProviderRef(call.account.name, call.params['id'] ?? ''))
}

export function verifyByReference(kit: Kit, call: Call): Answer {
  return verified(findCharge(kit, call.account.name, call.query['tx_ref'] ?? ''))
}

function verified(transaction: Transaction | undefined): Answer {
  if (transaction?.operation !== 'collect' || isHidden(transaction)) {
    return refused(400, 'No transaction was found for this id')
  }
  return handled('Transaction fetched successfully', presentCharge(transaction))
}

export function listTransactions(kit: Kit, call: Call): Answer {
  const { tx_ref: reference, status } = call.query
  return listAnswer(kit, call, {
    operation: 'collect',
    message: 'Transactions fetched',
    isWanted: (one) =>
      !isHidden(one) &&
      (reference === undefined || one.reference === reference) &&
      (status === undefined || chargeStatusOf(one) === status),
    present: presentCharge,
  })
}

const isHidden = (transaction: Transaction): boolean => chargeDetailsOf(transaction).isHidden === true
