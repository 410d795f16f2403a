import type { Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut } from '../../core/carry-out.ts'
import type { Kit } from '../../protocol.ts'
import { behaviourFor, SUCCESS, type Behaviour } from '../../sentinels.ts'
import { destinationOf } from './banks.ts'
import { handled, parseRequest, refused } from './envelope.ts'
import { DUPLICATE_TRANSFER, failureOf } from './failures.ts'
import { newId } from './identifiers.ts'
import { listAnswer } from './listing.ts'
import { presentTransfer, transferStatusOf } from './present.ts'
import { transferSchema, type TransferDetails } from './schema.ts'

/** The documented mock transfers, by the suffix of the reference. */
function behaviourOf(reference: string, amount: string, account: string): Behaviour {
  if (/_PMCK(DU_1)?$/.test(reference)) return SUCCESS
  if (/_PMCK_ST_F(DU_1)?$/.test(reference)) return { ...SUCCESS, outcome: 'fails' }
  return behaviourFor({ amount, account })
}

export async function createTransfer(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(transferSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const { reference, amount, currency, account_number: accountNumber, account_bank: bankCode } = input
  const destination = destinationOf(currency, bankCode)
  const details: TransferDetails = {
    id: newId(),
    accountNumber,
    bankCode,
    bankName: destination?.name ?? '',
    fullName: input.beneficiary_name ?? 'N/A',
    narration: input.narration ?? '',
  }
  return carryOut(kit, call, {
    operation: 'payout',
    reference,
    providerRef: String(details.id),
    method: destination?.kind ?? 'bank',
    amount,
    currency,
    behaviour: behaviourOf(reference, amount, accountNumber),
    details,
    duplicate: () => refused(400, DUPLICATE_TRANSFER),
    check: () => {
      if (destination === undefined) return refused(400, 'account_bank is invalid for this currency')
      if (destination.kind === 'mobile_money' && !input.beneficiary_name) {
        return refused(400, 'beneficiary_name is required')
      }
      const lacksBranch = destination.wantsBranch && !input.destination_branch_code
      return lacksBranch ? refused(400, 'destination_branch_code is required') : undefined
    },
    // Errors of the wallet or the account appear later, as a FAILED transfer.
    decline: (reason) =>
      reason === 'temporarily_unavailable' ? refused(400, failureOf('payout', reason).message) : undefined,
    failure: (reason) => failureOf('payout', reason),
    accepted: (transaction) => handled('Transfer Queued Successfully', presentTransfer(transaction)),
  })
}

export function fetchTransfer(kit: Kit, call: Call): Answer {
  const transfer = kit.transactions.findByProviderRef(call.account.name, call.params['id'] ?? '')
  if (transfer?.operation !== 'payout') return refused(404, 'No transfer found')
  return handled('Transfer fetched', presentTransfer(transfer))
}

export function listTransfers(kit: Kit, call: Call): Answer {
  const { reference, status } = call.query
  return listAnswer(kit, call, {
    operation: 'payout',
    message: 'Transfers fetched',
    isWanted: (one) =>
      (reference === undefined || one.reference === reference) &&
      (status === undefined || transferStatusOf(one) === status),
    present: presentTransfer,
  })
}
