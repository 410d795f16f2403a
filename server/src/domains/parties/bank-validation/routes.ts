import type { App } from '../../../http/app.ts'
import { errors } from '../../../lib/requests/wire.ts'
import * as schema from './schema.ts'
import { validateUkAccount, type BankValidationDeps } from './validate-uk-account.ts'

export function bankValidationRoutes(app: App, deps: BankValidationDeps): void {
  app.post(
    '/v1/payments/bank-validation/validate-uk-account',
    {
      config: { spec: '4.9', access: { permission: 'beneficiaries:read' } },
      schema: {
        tags: ['Bank validation'],
        operationId: 'bankValidation.validateUkAccount',
        description:
          'Always answers 200 for a well-formed request: `validated` says whether the account number can exist, and `message` why not. It does not ask a bank, so it does not prove that the account is open.',
        summary: 'Check the format of a UK account, and optionally its modulus',
        querystring: schema.validateUkAccountQuery,
        body: schema.validateUkAccountBody,
        response: { 200: schema.ukAccountResponse, ...errors() },
      },
    },
    async ({ body, query }) => {
      const { isValid, message, ...account } = validateUkAccount(deps, {
        ...body,
        withModulus: query.modulus,
      })
      return { success: isValid, accountDetails: { ...account, validated: isValid, message } }
    },
  )
}
