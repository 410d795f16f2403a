import type { Translated } from '../translated.ts'
import type { apiKeys as english } from '../en/api-keys.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('pt')

export const apiKeys: Translated<typeof english> = {
  title: 'Chaves de API',
  name: 'Nome',
  nameHint: 'Onde a chave é utilizada, por exemplo “checkout, produção”.',
  owner: 'Titular',
  you: 'você',
  status: 'Estado',
  statuses: { active: 'Ativa', expiring: 'Substituída', revoked: 'Revogada', expired: 'Expirada' },
  scopes: 'Permissões',
  allScopes: 'todas as permissões',
  someScopes: (count: number) =>
    plural(count, { one: '# permissão', many: '# de permissões', other: '# permissões' }),
  lastUsed: 'Última utilização',
  never: 'nunca',
  until: 'até',
  since: 'desde',
  actions: 'Ações',
  empty: 'Ainda não há chaves de API',
  emptyText:
    'A sua integração chama a API com uma chave. Uma chave pode fazer o que o seu titular pode fazer, ou menos.',
  create: 'Criar chave',
  createTitle: 'Criar uma chave de API',
  createText: 'A chave age em seu nome e perde os seus poderes quando você perder os seus.',
  scopesHint: 'Sem uma escolha, a chave pode fazer tudo o que você pode fazer.',
  expiry: 'Expira em',
  expiryHint: 'Opcional. A chave deixa de funcionar no fim deste dia.',
  allowedIps: 'Endereços permitidos',
  allowedIpsHint:
    'Opcional. Endereços IP ou redes como 203.0.113.0/24, separados por vírgulas ou espaços. A chave é recusada de qualquer outro lugar.',
  fromSome: (count: number) =>
    plural(count, {
      one: 'a partir de # rede',
      many: 'a partir de # de redes',
      other: 'a partir de # redes',
    }),
  secretTitle: 'A sua nova chave',
  secretText: 'Envie-a no cabeçalho X-Api-Key.',
  secretLabel: 'chave de API',
  rotate: 'Renovar',
  rotateOf: (name: string) => `Renovar ${name}`,
  rotateTitle: 'Renovar esta chave?',
  rotateText: 'Recebe uma nova chave com o mesmo nome e as mesmas permissões.',
  overlap: 'A chave antiga funciona ainda durante',
  overlaps: {
    '86400': '1 dia',
    '3600': '1 hora',
    '604800': '7 dias',
    '0': 'tempo nenhum: termina agora',
  },
  revoke: 'Revogar',
  revokeOf: (name: string) => `Revogar ${name}`,
  revokeTitle: 'Revogar esta chave?',
  revokeText: (name: string) =>
    `“${name}” deixa de funcionar de imediato e definitivamente, tal como todas as chaves criadas com ela.`,
  revoked: 'A chave foi revogada.',
}
