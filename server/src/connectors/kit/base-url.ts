import { z } from 'zod'
import { trimEnd } from '../../lib/trim.ts'

/** A provider's address; its sandbox and our simulator have others. */
export const baseUrlSchema = (address: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(address)
    .transform((url) => trimEnd(url, '/'))
