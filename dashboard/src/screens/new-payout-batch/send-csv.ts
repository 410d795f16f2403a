import {
  CsvFile,
  type PayoutBatchesCreateBody,
  type PayoutBatchesCreateQuery,
  type PayoutBatchesCreateResult,
} from '@switchyard/sdk'
import { api } from '../../api/client.ts'

/** The answer to a dry run. */
export type Checked = Extract<PayoutBatchesCreateResult, { is_valid: boolean }>

/** The file as it is, so that the server counts its rows and names its columns. */
export const sendCsv = (
  content: string,
  query: PayoutBatchesCreateQuery,
  options: { idempotencyKey?: string } = {},
): Promise<PayoutBatchesCreateResult> => {
  const body: unknown = new CsvFile(content)
  // The endpoint takes CSV instead of the JSON that its type describes.
  return api.payoutBatches.create(body as PayoutBatchesCreateBody, query, options)
}
