import { join } from 'node:path'

/** Where `npm run build -w dashboard` puts the files that the api serves. */
export const distDirectory = join(import.meta.dirname, '../../dist')
