import {
  CsvFile,
  type PayoutBatchesCreateBody,
  type PayoutBatchesCreateQuery,
  type PayoutBatchesCreateResult,
} from '@switchyard/sdk'
import { api } from '../../api/client.ts'

/** The response to a dry run. */
export type BatchCheck = Extract<PayoutBatchesCreateResult, { is_valid: boolean }>

/** Sends the file unchanged, so that the server's errors refer to its rows and columns. */
export const sendCsv = (
  content: string,
  query: PayoutBatchesCreateQuery,
  options: { idempotencyKey?: string } = {},
): Promise<PayoutBatchesCreateResult> => {
  const body: unknown = new CsvFile(content)
  // The endpoint takes CSV instead of the JSON that its type describes.
  return api.payoutBatches.create(body as PayoutBatchesCreateBody, query, options)
}
