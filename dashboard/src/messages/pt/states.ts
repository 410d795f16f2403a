import type { Translated } from '../translated.ts'
import type { states as english } from '../en/states.ts'

/** What every screen can say: loading, empty, refused, failed. */
export const states: Translated<typeof english> = {
  loading: 'A carregar',
  tryAgain: 'Tentar de novo',
  failed: 'Não foi possível carregar.',
  offline: 'Não foi possível contactar o servidor. Verifique a sua ligação.',
  requestId: 'Identificador do pedido',
  copy: 'Copiar',
  copied: 'Copiado',
  cancel: 'Cancelar',
  you: 'você',
  outcomeUnknown:
    'A ligação perdeu-se e ninguém sabe se a operação foi executada. Verifique antes de a repetir; repetida a partir daqui, é executada no máximo uma vez.',
  startOver: 'Recomeçar',
  filters: 'Filtros',
  any: 'Todos',
  clear: 'Limpar filtros',
  moreFilters: 'Mais filtros',
  fewerFilters: 'Menos filtros',
  noMatch: 'Nada corresponde a estes filtros',
  noMatchText: 'Altere ou limpe os filtros para ver mais.',
  next: 'Mais antigos',
  first: 'Mais recentes',
  times: 'Horas em',
  export: 'Exportar CSV',
  exporting: 'A exportar…',
  forbidden: 'Não tem acesso a esta página.',
  forbiddenHint: 'Peça a um administrador da sua organização a permissão',
  notFound: 'Esta página não existe.',
  backHome: 'Ir para o início',
}
