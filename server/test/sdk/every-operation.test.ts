import { ApiError, OutcomeUnknown } from '@switchyard/sdk'
import { describeEveryOperation } from './every-operation.ts'
import { callByName, checkedClient, inPosition } from './sdk-calls.ts'

describeEveryOperation(({ url, credential, document }) => {
  const { client, last } = checkedClient(url, credential, document)
  return Promise.resolve([
    {
      async call({ id }, args) {
        try {
          const data: unknown = await callByName(client, id, inPosition(args))
          return { data, text: last().text }
        } catch (error) {
          const refusal = error instanceof OutcomeUnknown ? error.cause : error
          if (refusal instanceof ApiError && refusal.code !== undefined) return { code: refusal.code }
          throw error
        }
      },
    },
  ])
})
