import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { carryOut, planFor } from '../../core/carry-out.ts'
import type { Step, Transaction } from '../../core/transaction.ts'
import type { Kit } from '../../protocol.ts'
import { RIGHT_OTP, type Behaviour, type FailureReason } from '../../sentinels.ts'
import type { z } from 'zod'
import { authorizationUrlOf } from './authorise-page.ts'
import { checkPayment } from './check-payment.ts'
import { failureAnswer, failureOf, rejection, rejectionCodeOf } from './failures.ts'
import { networkOf, type AuthType } from './networks.ts'
import { depositSchema, flattenMetadata, parseRequest, type Details } from './schema.ts'
import { behaviourOf } from './test-numbers.ts'

type DepositInput = z.infer<typeof depositSchema>

export async function initiateDeposit(kit: Kit, call: Call): Promise<Answer> {
  const parsed = parseRequest(depositSchema, call.payload)
  if ('refusal' in parsed) return parsed.refusal
  const { input } = parsed
  const { depositId, amount, currency } = input
  const metadata = flattenMetadata(input.metadata)
  if (metadata === undefined) return failureAnswer(400, 'DUPLICATE_METADATA_FIELD')
  const { phoneNumber, provider } = input.payer.accountDetails
  const network = networkOf(provider)
  const missing = missingParameterOf(input, network?.authType)
  if (missing !== undefined) return failureAnswer(400, 'MISSING_PARAMETER', `Missing parameter: ${missing}`)

  const behaviour = behaviourOfDeposit(input, network?.authType)
  const redirects = network?.authType === 'REDIRECT_AUTH'
  const details: Details = {
    phoneNumber,
    provider,
    country: network?.country ?? '',
    customerMessage: input.customerMessage,
    clientReferenceId: input.clientReferenceId,
    metadata,
    successfulUrl: input.successfulUrl,
    failedUrl: input.failedUrl,
    ...(redirects && { planAfterPayment: planAfterPayment(kit, behaviour) }),
  }
  return carryOut(kit, call, {
    operation: 'collect',
    reference: depositId,
    method: 'mobile_money',
    amount,
    currency,
    behaviour,
    details,
    ...(redirects && { start: startOfRedirect(kit, call.account.name, depositId) }),
    duplicate: (existing) => initiationAnswer(existing, 'DUPLICATE_IGNORED'),
    check: () => {
      const checked = checkPayment(call.account, {
        operation: 'DEPOSIT',
        amount,
        currency,
        provider,
        phoneNumber,
      })
      return 'rejectionCode' in checked ? rejection({ depositId }, checked.rejectionCode) : undefined
    },
    decline: (reason) => {
      const code = rejectionCodeOf('collect', reason)
      return code === undefined ? undefined : rejection({ depositId }, code)
    },
    failure: (reason) => failureOf('collect', reason),
    accepted: (transaction) => initiationAnswer(transaction, 'ACCEPTED'),
  })
}

function initiationAnswer(transaction: Transaction, status: 'ACCEPTED' | 'DUPLICATE_IGNORED'): Answer {
  const nextStep = transaction.details['planAfterPayment'] === undefined ? 'FINAL_STATUS' : 'GET_AUTH_URL'
  return json(200, { depositId: transaction.reference, status, nextStep, created: transaction.createdAt })
}

function missingParameterOf(input: DepositInput, authType: AuthType | undefined): string | undefined {
  if (authType === 'PREAUTH' && input.preAuthorisationCode === undefined) return 'preAuthorisationCode'
  if (authType !== 'REDIRECT_AUTH') return undefined
  if (input.successfulUrl === undefined) return 'successfulUrl'
  return input.failedUrl === undefined ? 'failedUrl' : undefined
}

function behaviourOfDeposit(input: DepositInput, authType: AuthType | undefined): Behaviour {
  const behaviour = behaviourOf({
    operation: 'collect',
    amount: input.amount,
    phoneNumber: input.payer.accountDetails.phoneNumber,
  })
  const isWrongCode = authType === 'PREAUTH' && input.preAuthorisationCode !== RIGHT_OTP
  return isWrongCode ? { ...behaviour, outcome: 'fails' } : behaviour
}

/** The address becomes available after a moment; clients poll for it or wait for the callback. */
function startOfRedirect(kit: Kit, account: string, depositId: string): Pick<Transaction, 'state' | 'plan'> {
  const authorizationUrl = authorizationUrlOf(kit, account, depositId)
  const step: Step = { afterMs: kit.delayMs, state: 'action_required', details: { authorizationUrl } }
  return { state: 'action_required', plan: [step] }
}

function planAfterPayment(kit: Kit, behaviour: Behaviour): Step[] {
  const { decline } = behaviour
  const failure = (reason: FailureReason) => behaviour.failure ?? failureOf('collect', decline ?? reason)
  const outcome = decline === undefined ? behaviour.outcome : 'fails'
  return planFor({ delayMs: kit.delayMs, outcome, failure })
}
