import type { Translated } from '../translated.ts'
import type {
  auditLog as englishAuditLog,
  invitations as englishInvitations,
  member as englishMember,
  members as englishMembers,
  roles as englishRoles,
} from '../en/organization.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('pt')

export const roles: Translated<typeof englishRoles> = {
  'platform-admin': 'Operador',
  'org-admin': 'Administrador',
  staff: 'Colaborador',
  viewer: 'Leitor',
}

export const members: Translated<typeof englishMembers> = {
  title: 'Membros',
  lists: 'Membros e convites',
  invitations: 'Convites',
  name: 'Nome',
  email: 'E-mail',
  role: 'Função',
  adjustments: 'Permissões ajustadas',
  none: 'nenhuma',
  since: 'Membro desde',
  empty: 'Ainda não há membros',
  emptyText: 'Convide as pessoas que trabalham com pagamentos.',
  you: 'você',
  granted: (count: number) =>
    plural(count, { one: '# concedida', many: '# concedidas', other: '# concedidas' }),
  revoked: (count: number) => plural(count, { one: '# retirada', many: '# retiradas', other: '# retiradas' }),
  held: 'A alteração espera por uma segunda pessoa.',
  user: 'Identificador do utilizador',
}

export const member: Translated<typeof englishMember> = {
  title: 'Membro',
  details: 'Detalhes',
  country: 'País',
  changeRole: 'Alterar função',
  changeRoleTitle: 'Alterar a função',
  changeRoleText: 'As permissões concedidas e retiradas mantêm-se como estão.',
  save: 'Guardar',
  roleChanged: 'A função foi alterada.',
  remove: 'Remover',
  removeTitle: 'Remover este membro?',
  removeText: (name: string) =>
    `${name} perde o acesso de imediato. As suas chaves de API também deixam de funcionar.`,
  removed: 'O membro foi removido.',
  permissions: 'Permissões',
  permission: 'Permissão',
  byRole: 'Pela função',
  adjustment: 'Ajuste',
  effective: 'Efetiva',
  yes: 'sim',
  no: 'não',
  granted: 'Concedida',
  revoked: 'Retirada',
  self: 'Não pode alterar a sua própria função nem as suas próprias permissões.',
  above: 'Este membro tem uma função superior ou mais permissões do que você.',
  lack: 'Não tem esta permissão, por isso não a pode conceder.',
  savePermissions: 'Guardar permissões',
  unsaved: (count: number) =>
    plural(count, {
      one: '# alteração por guardar',
      many: '# de alterações por guardar',
      other: '# alterações por guardar',
    }),
  discard: 'Descartar',
  saved: 'As permissões foram guardadas.',
}

export const invitations: Translated<typeof englishInvitations> = {
  title: 'Convites',
  email: 'E-mail',
  role: 'Função',
  status: 'Estado',
  statuses: { pending: 'Aberto', accepted: 'Aceite', revoked: 'Revogado', expired: 'Expirado' },
  invitedBy: 'Convidado por',
  expires: 'Expira',
  created: 'Enviado',
  actions: 'Ações',
  empty: 'Ainda não há convites',
  emptyText: 'A pessoa convidada recebe um e-mail com um link que funciona uma vez, durante sete dias.',
  invite: 'Convidar',
  inviteTitle: 'Convidar uma pessoa',
  inviteText: 'A pessoa recebe um e-mail com um link que funciona uma vez e expira após sete dias.',
  send: 'Enviar convite',
  sent: 'O convite foi enviado.',
  revoke: 'Revogar',
  revokeOf: (email: string) => `Revogar o convite de ${email}`,
  revokeTitle: 'Revogar este convite?',
  revokeText: 'O seu link deixa de funcionar de imediato.',
  revoked: 'O convite foi revogado.',
}

export const auditLog: Translated<typeof englishAuditLog> = {
  title: 'Registo de auditoria',
  at: 'Hora',
  who: 'Quem',
  credential: {
    api_key: 'por chave de API',
    jwt: 'por token de acesso',
    session: 'no painel',
    payment_link: 'numa página de pagamento',
  },
  action: 'Ação',
  resourceType: 'Tipo',
  resource: 'Recurso',
  changes: 'Alterações',
  changed: (count: number) => plural(count, { one: '# campo', many: '# de campos', other: '# campos' }),
  noChange: 'nenhuma registada',
  field: 'Campo',
  before: 'Antes',
  after: 'Depois',
  nothing: '–',
  from: 'De',
  to: 'Até',
  ip: 'Endereço',
  empty: 'Ainda não há entradas',
  emptyText:
    'Cada alteração na sua organização fica registada aqui: quem a fez, o que mudou, quando e de onde.',
}
