import { deriveKey } from './crypto.ts'
import { readSignedIds, signIds, type SignedIds } from './signed-ids.ts'

const paths = { invitation: '/invitations/', verification: '/verify/' } as const

/** The page that a link in a notice opens. */
export type LinkKind = keyof typeof paths

export const isLinkKind = (kind: string): kind is LinkKind => Object.hasOwn(paths, kind)

/**
 * Links to our own pages, whose token is the credential. The token is derived from the ids whenever it is shown, so
 * neither it nor its hash is stored; the row that it names decides whether the link is still valid.
 */
export interface Links {
  urlOf(kind: LinkKind, ids: SignedIds): string
  read(kind: LinkKind, token: string): SignedIds | undefined
}

export function createLinks(publicUrl: string, secretKey: Buffer): Links {
  const keys = {
    invitation: deriveKey(secretKey, 'invitation links'),
    verification: deriveKey(secretKey, 'verification links'),
  }
  return {
    urlOf: (kind, ids) => `${publicUrl}${paths[kind]}${signIds(keys[kind], ids)}`,
    read: (kind, token) => readSignedIds(keys[kind], token),
  }
}
