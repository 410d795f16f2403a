import { findConnector } from '../../../connectors/registry.ts'
import type { Caller } from '../../../lib/requests/access.ts'
import { checkRequest } from '../../../lib/requests/check-request.ts'
import { notFound, validationError } from '../../../lib/errors.ts'
import { urlNotAllowed } from './errors.ts'
import type { AccountDeps } from './record.ts'
import { pathOfUrl } from './rules.ts'

/** Refuses keys that the provider's connector cannot read, and addresses that only the operator may set. */
export function assertCredentials(
  deps: Pick<AccountDeps, 'egressPolicy'>,
  caller: Caller,
  input: { provider: string; credentials: Record<string, unknown> },
): void {
  const definition = findConnector(input.provider)
  if (!definition) throw notFound('The provider')
  const checked = checkRequest(definition.credentials, input.credentials)
  if (!checked.success)
    throw validationError(
      `The credentials are not valid for ${input.provider}. ${checked.details[0]?.message ?? ''}`.trimEnd(),
      checked.details.map(({ path, message }) => ({ path: `credentials.${path}`, message })),
    )
  // A URL of the caller's choice would let them make this server call into its own network (SSRF).
  if (caller.permissions.has('platform:write') || deps.egressPolicy.allowLoopback) return
  const path = pathOfUrl(input.credentials)
  if (path !== undefined) throw urlNotAllowed(path)
}

/** Whether both credentials name a merchant account, and not the same one. */
export function namesOtherAccount(provider: string, former: unknown, credentials: unknown): boolean {
  const definition = findConnector(provider)
  const [before, after] = [former, credentials].map((one) => {
    const parsed = definition?.credentials.safeParse(one)
    return parsed?.success ? definition?.namedAccount?.(parsed.data) : undefined
  })
  return before !== undefined && after !== undefined && before !== after
}
