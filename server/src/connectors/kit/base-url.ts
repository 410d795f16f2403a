import { z } from 'zod'
import { trimEnd } from '../../lib/text/trim.ts'

/** The provider's base URL. It is configurable for the provider's sandbox and for the simulator. */
export const baseUrlSchema = (address: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(address)
    .transform((url) => trimEnd(url, '/'))
