import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'

/**
 * The handle of one change. It refuses queries after the change has ended: they would run inside somebody else's
 * change, or outside of any.
 */
export class TransactionHandle implements KyselyPlugin {
  ended = false

  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    if (this.ended) throw new Error('this transaction has ended')
    return args.node
  }
  async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return args.result
  }
}
