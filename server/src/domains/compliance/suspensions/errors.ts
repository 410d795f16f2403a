import { isSanctioned, suspendedIn } from '../../../kernel/db/errors.ts'
import { AppError, conflict } from '../../../lib/errors.ts'

const refusals = {
  organization: () =>
    new AppError(
      'ORGANIZATION_SUSPENDED',
      403,
      'The operator has suspended your organisation, so no money leaves it. Nothing was sent. Ask the operator.',
    ),
  payouts: () =>
    new AppError(
      'PAYOUTS_SUSPENDED',
      403,
      'The operator has suspended all payouts of the installation. Nothing was sent; try again later.',
    ),
  screening: () =>
    new AppError(
      'SCREENING_OPEN',
      403,
      'This is on hold until a check has ended. Nothing was sent; try again later.',
    ),
  route: () =>
    new AppError(
      'PROVIDER_ACCOUNT_SUSPENDED',
      409,
      'The route that would have to carry this was closed at the same moment. Nothing was sent; try again.',
    ),
  provider_account: () =>
    new AppError(
      'PROVIDER_ACCOUNT_SUSPENDED',
      409,
      'The operator has suspended the provider account that would have to carry this. Nothing was sent; try again later.',
    ),
} as const

/** Said to whoever asks for it, and written to the payment that had waited. */
export const sanctioned = {
  code: 'SANCTIONS_MATCH',
  message: 'A match with a sanctions list was confirmed. Nothing was sent.',
} as const

export const screeningOpen = (): AppError => refusals.screening()

export const sanctionsMatch = (): AppError => new AppError(sanctioned.code, 403, sanctioned.message)

/** The refusal of a transaction that a suspension or a sanctions list stopped; other errors are returned as they are. */
export function asSuspended(error: unknown): unknown {
  if (isSanctioned(error)) return sanctionsMatch()
  const suspended = suspendedIn(error)
  return suspended ? refusals[suspended]() : error
}

const codes: readonly string[] = [
  'ORGANIZATION_SUSPENDED',
  'PAYOUTS_SUSPENDED',
  'PROVIDER_ACCOUNT_SUSPENDED',
  'SCREENING_OPEN',
]

/** Whether something has to wait for a suspension to be lifted: it has not failed. */
export const isHeldBack = (error: unknown): boolean =>
  error instanceof AppError ? codes.includes(error.code) : suspendedIn(error) !== undefined

export const isAccountSuspended = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'PROVIDER_ACCOUNT_SUSPENDED'

export const isScreeningOpen = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'SCREENING_OPEN'

export const lastOperator = (): AppError =>
  conflict(
    'Nobody could lift the suspension: this is the last administrator of the installation who is not suspended.',
  )

export const ownCredential = (): AppError =>
  conflict('You are using this API key. Suspend it with another credential, or revoke it.')

export const alreadyLifted = (): AppError => conflict('The suspension was lifted already.')

export const aboutYourself = (): AppError =>
  new AppError('FORBIDDEN', 403, 'The suspension is about you, so others have to lift it.')
