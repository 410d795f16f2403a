import { z } from 'zod'
import type { Account } from '../../core/accounts.ts'
import { json, type Answer } from '../../core/answer.ts'
import type { Call } from '../../core/call.ts'
import { majorFromMinor, scaledAmount } from '../../core/money.ts'
import type { Kit } from '../../protocol.ts'
import { statusOfNetwork } from './check-payment.ts'
import { failureAnswer } from './failures.ts'
import {
  COUNTRIES,
  decimalsOf,
  MAX_AMOUNT,
  MIN_AMOUNT,
  NETWORKS,
  predictNetwork,
  type Country,
  type Network,
  type PawapayOperation,
} from './networks.ts'

const OPERATION_TYPES: readonly PawapayOperation[] = ['DEPOSIT', 'PAYOUT', 'REFUND']
const OPENING_BALANCE_CENTS = 10_000_000_000n

export function showActiveConfiguration(call: Call): Answer {
  const operations = chosenOperations(call)
  return json(200, {
    companyName: String(call.account.options['company_name'] ?? 'Switchyard Sandbox'),
    signatureConfiguration: {
      signedRequestsOnly: call.account.options['signed_requests_only'] === true,
      signedCallbacks: call.account.options['signed_callbacks'] !== false,
    },
    countries: chosenCountries(call).map((country) => ({
      country: country.country,
      displayName: { en: country.displayName },
      prefix: country.callingCode,
      providers: networksIn(country).map((network) => presentNetwork(call.account, network, operations)),
    })),
  })
}

export function showAvailability(call: Call): Answer {
  const operations = chosenOperations(call)
  const availability = chosenCountries(call).map((country) => ({
    country: country.country,
    providers: networksIn(country).map(({ provider }) => ({
      provider,
      operationTypes: operations.map((operationType) => ({
        operationType,
        status: statusOfNetwork(call.account, provider),
      })),
    })),
  }))
  return json(200, availability)
}

export function predictProvider(call: Call): Answer {
  const body = z.object({ phoneNumber: z.string() }).safeParse(call.payload)
  if (!body.success) return failureAnswer(400, 'MISSING_PARAMETER', 'Missing parameter: phoneNumber')
  const predicted = predictNetwork(body.data.phoneNumber)
  if (predicted === undefined) {
    return failureAnswer(400, 'INVALID_PARAMETER', 'The phone number fits no provider.')
  }
  const { network, phoneNumber } = predicted
  return json(200, { country: network.country, provider: network.provider, phoneNumber })
}

/** An initial balance plus deposits minus payouts. */
export function showWalletBalances(kit: Kit, call: Call): Answer {
  const moved = movementsOf(kit, call.account)
  const balances = chosenCountries(call).flatMap(({ country }) =>
    currenciesOf(country).map((currency) => ({
      country,
      balance: majorFromMinor(OPENING_BALANCE_CENTS + (moved.get(`${country} ${currency}`) ?? 0n), 2),
      currency,
      provider: '',
    })),
  )
  return json(200, { balances })
}

function movementsOf(kit: Kit, account: Account): Map<string, bigint> {
  const moved = new Map<string, bigint>()
  for (const transaction of kit.transactions.values()) {
    if (transaction.account !== account.name || transaction.state !== 'completed') continue
    const key = `${String(transaction.details['country'])} ${transaction.currency}`
    const amountCents = scaledAmount(transaction.amount, 2) ?? 0n
    moved.set(
      key,
      (moved.get(key) ?? 0n) + (transaction.operation === 'collect' ? amountCents : -amountCents),
    )
  }
  return moved
}

function currenciesOf(country: string): string[] {
  const currencies = NETWORKS.filter((network) => network.country === country).flatMap(
    (network) => network.currencies,
  )
  return [...new Set(currencies)]
}

function chosenCountries(call: Call): readonly Country[] {
  const { country } = call.query
  return country === undefined ? COUNTRIES : COUNTRIES.filter((entry) => entry.country === country)
}

function chosenOperations(call: Call): readonly PawapayOperation[] {
  const { operationType } = call.query
  return operationType === undefined
    ? OPERATION_TYPES
    : OPERATION_TYPES.filter((type) => type === operationType)
}

function networksIn(country: Country): Network[] {
  return NETWORKS.filter((network) => network.country === country.country)
}

function presentNetwork(account: Account, network: Network, operations: readonly PawapayOperation[]) {
  const operationTypes = Object.fromEntries(
    operations.map((operation) => [
      operation,
      {
        ...(operation === 'DEPOSIT' && { authType: network.authType }),
        ...(operation === 'DEPOSIT' && network.authType === 'PROVIDER_AUTH' && { pinPrompt: 'AUTOMATIC' }),
        minAmount: MIN_AMOUNT,
        maxAmount: MAX_AMOUNT,
        decimalsInAmount: decimalsOf(network, operation),
        status: statusOfNetwork(account, network.provider),
        callbackUrl: account.webhookUrl ?? '',
      },
    ]),
  )
  return {
    provider: network.provider,
    displayName: network.displayName,
    nameDisplayedToCustomer: String(account.options['company_name'] ?? 'Switchyard Sandbox'),
    currencies: network.currencies.map((currency) => ({ currency, displayName: currency, operationTypes })),
  }
}
