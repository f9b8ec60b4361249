// Re-exports all libraries, so that a service needs one import.
@_exported import MartletHTTP
@_exported import MartletJSON
@_exported import MartletLiveAPI
@_exported import MartletLiveQueries
@_exported import MartletQueryBuilder
@_exported import MartletSQLite
@_exported import MartletStore
@_exported import MartletTime
