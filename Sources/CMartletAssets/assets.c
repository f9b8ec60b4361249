// The files that the program carries with it, embedded by C23's #embed.
// Written by `make assets` from the folders; `make check` fails when stale.
#include "CMartletAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char Migrations_0001_initial_sql[] = {
#embed "../../Migrations/0001_initial.sql"
};

static const unsigned char Migrations_0002_idempotency_sql[] = {
#embed "../../Migrations/0002_idempotency.sql"
};

static const unsigned char Migrations_0003_keys_sql[] = {
#embed "../../Migrations/0003_keys.sql"
};

static const unsigned char Migrations_0004_calendar_sql[] = {
#embed "../../Migrations/0004_calendar.sql"
};

static const unsigned char Migrations_0005_keyHistory_sql[] = {
#embed "../../Migrations/0005_keyHistory.sql"
};

static const unsigned char Migrations_0006_rules_sql[] = {
#embed "../../Migrations/0006_rules.sql"
};

static const unsigned char Migrations_0007_ids_sql[] = {
#embed "../../Migrations/0007_ids.sql"
};

static const unsigned char openapi_yaml[] = {
#embed "../../openapi.yaml"
};

static const unsigned char docs_problems_md[] = {
#embed "../../docs/problems.md"
};

static const unsigned char Pages_try_css[] = {
#embed "../../Pages/try.css"
};

static const unsigned char Pages_try_html[] = {
#embed "../../Pages/try.html"
};

static const unsigned char Pages_try_js[] = {
#embed "../../Pages/try.js"
};

static const CAsset table[] = {
  {"Migrations/0001_initial.sql", Migrations_0001_initial_sql, sizeof Migrations_0001_initial_sql},
  {"Migrations/0002_idempotency.sql", Migrations_0002_idempotency_sql, sizeof Migrations_0002_idempotency_sql},
  {"Migrations/0003_keys.sql", Migrations_0003_keys_sql, sizeof Migrations_0003_keys_sql},
  {"Migrations/0004_calendar.sql", Migrations_0004_calendar_sql, sizeof Migrations_0004_calendar_sql},
  {"Migrations/0005_keyHistory.sql", Migrations_0005_keyHistory_sql, sizeof Migrations_0005_keyHistory_sql},
  {"Migrations/0006_rules.sql", Migrations_0006_rules_sql, sizeof Migrations_0006_rules_sql},
  {"Migrations/0007_ids.sql", Migrations_0007_ids_sql, sizeof Migrations_0007_ids_sql},
  {"openapi.yaml", openapi_yaml, sizeof openapi_yaml},
  {"docs/problems.md", docs_problems_md, sizeof docs_problems_md},
  {"Pages/try.css", Pages_try_css, sizeof Pages_try_css},
  {"Pages/try.html", Pages_try_html, sizeof Pages_try_html},
  {"Pages/try.js", Pages_try_js, sizeof Pages_try_js},
  {NULL, NULL, 0},
};

const CAsset *const cassets = table;
