import { resolve } from 'node:path'

/** The root of the checkout that this file is part of. */
export const repositoryDir = resolve(import.meta.dirname, '../..')
