import type { Translated } from '../translated.ts'
import type {
  deadLetters as englishDeadLetters,
  deliveries as englishDeliveries,
  events as englishEvents,
  webhooks as englishWebhooks,
} from '../en/webhooks.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('pt')

export const webhooks: Translated<typeof englishWebhooks> = {
  title: 'Webhooks',
  lists: 'Listas de webhooks',
  endpoints: 'Endpoints',
  events: 'Eventos',
  deadLetters: 'Envios abandonados',
  url: 'Endereço',
  description: 'Descrição',
  subscribed: 'Eventos',
  allEvents: 'Todos, também os futuros',
  someEvents: (count: number) => plural(count, { one: '# tipo', many: '# de tipos', other: '# tipos' }),
  status: 'Estado',
  statuses: { active: 'Ativo', paused: 'Em pausa', disabled: 'Desativado' },
  updated: 'Alterado',
  created: 'Criado',
  id: 'Identificador do endpoint',
  empty: 'Ainda não há endpoints',
  emptyText:
    'Um endpoint é um endereço seu que recebe eventos, por exemplo um pagamento concluído. Cada envio é assinado.',
  add: 'Adicionar endpoint',
  addText: 'O endereço tem de ser público e utilizar https, na porta 443 ou 8443.',
  edit: 'Editar',
  editTitle: 'Editar este endpoint',
  save: 'Guardar',
  saved: 'O endpoint foi guardado.',
  chooseHint:
    'Sem uma escolha, o endpoint recebe todos os tipos, também os que forem adicionados mais tarde.',
  secretTitle: 'Segredo de assinatura',
  secretText: 'O seu recetor verifica a assinatura de cada envio com este segredo.',
  secretLabel: 'segredo de assinatura',
  rotate: 'Renovar segredo',
  rotateTitle: 'Renovar o segredo de assinatura?',
  rotateText:
    'Durante 24 horas, cada envio é assinado com ambos os segredos em webhook-signature; X-Service-Signature utiliza o novo de imediato.',
  test: 'Enviar evento de teste',
  testTitle: 'Enviar um evento de teste',
  testText: 'O evento é marcado como teste e segue apenas para este endpoint.',
  testType: 'Tipo de evento',
  tested: 'O evento de teste está a caminho.',
  pause: 'Pausar',
  paused: 'O endpoint está em pausa. Os seus envios são conservados.',
  resume: 'Retomar',
  resumed: 'O endpoint está ativo.',
  disabledText:
    'Este endpoint foi desativado após cinco dias sem um envio com sucesso. Retome-o quando o seu recetor voltar a funcionar.',
  recover: 'Recuperar',
  recoverTitle: 'Enviar eventos em falta',
  recoverText: 'Envia no máximo 1.000 eventos que este endpoint não recebeu desde o momento indicado.',
  recoverSince: 'Desde',
  recovered: (count: number) =>
    plural(count, {
      one: '# evento está a caminho.',
      many: '# de eventos estão a caminho.',
      other: '# eventos estão a caminho.',
    }),
  remove: 'Eliminar',
  removeTitle: 'Eliminar este endpoint?',
  removeText: 'Desaparece de imediato, com os seus envios. Os eventos permanecem.',
  removed: 'O endpoint foi eliminado.',
  details: 'Detalhes',
  latest: 'Últimos envios',
  allDeliveries: 'Todos os envios',
}

export const deliveries: Translated<typeof englishDeliveries> = {
  title: 'Envios',
  one: 'Envio',
  empty: 'Ainda não há envios',
  emptyText:
    'Os envios aparecem aqui assim que ocorre um evento. Envie um evento de teste para experimentar.',
  event: 'Evento',
  eventType: 'Tipo de evento',
  status: 'Estado',
  statuses: { pending: 'Pendente', succeeded: 'Com sucesso', dead: 'Abandonado', replayed: 'Repetido' },
  attempts: 'Tentativas',
  response: 'Última resposta',
  noResponse: 'nenhuma',
  next: 'Próxima tentativa',
  created: 'Criado',
  updated: 'Alterado',
  id: 'Identificador do envio',
  endpoint: 'Endpoint',
  body: 'Corpo tal como foi assinado e enviado',
  attempt: (count: number) => `Tentativa ${count}`,
  noAttempts: 'Ainda não houve tentativas',
  noAttemptsText: 'A primeira tentativa segue dentro de segundos.',
  duration: (ms: number) => `${ms} ms`,
  requestHeaders: 'Cabeçalhos do pedido',
  responseBody: 'Corpo da resposta',
  replay: 'Repetir',
  replayText: 'Este endpoint recebe o evento de novo, com o seu identificador original.',
  replayed: 'O evento está de novo a caminho, com o seu identificador original.',
}

export const events: Translated<typeof englishEvents> = {
  title: 'Eventos',
  type: 'Tipo de evento',
  resource: 'Recurso',
  sequence: 'Sequência',
  created: 'Ocorrido',
  id: 'Identificador do evento',
  delivery: 'Envio',
  empty: 'Ainda não há eventos',
  emptyText:
    'Cada alteração comunicada às integrações fica registada aqui, mesmo antes de existir um endpoint.',
  body: 'Corpo',
  deliveries: 'Envios',
  noDeliveries: 'Não enviado a nenhum endpoint',
  noDeliveriesText: 'Nenhum endpoint subscrevia este tipo quando o evento ocorreu.',
  replay: 'Repetir para todos os endpoints',
  replayTitle: 'Repetir este evento?',
  replayText:
    'Cada endpoint ativo que subscreve o seu tipo recebe-o de novo, com o seu identificador original.',
}

export const deadLetters: Translated<typeof englishDeadLetters> = {
  title: 'Envios abandonados',
  empty: 'Nenhum envio abandonado',
  emptyText: 'Um envio que falha após todas as tentativas é conservado aqui até ser repetido.',
  endpoint: 'Endpoint',
  givenUp: 'Abandonado',
  replay: 'Repetir',
  replayOf: (type: string) => `Repetir ${type}`,
  replayAll: 'Repetir todos',
  replayMatching: 'Repetir todos os resultados',
  replayTitle: 'Repetir os envios abandonados?',
  replayText:
    'Cada envio abandonado que corresponda a estes filtros é enviado de novo. Os recetores reconhecem as repetições pelo identificador do evento.',
  replayed: (count: number) =>
    plural(count, {
      one: '# envio abandonado está a caminho.',
      many: '# de envios abandonados estão a caminho.',
      other: '# envios abandonados estão a caminho.',
    }),
}
